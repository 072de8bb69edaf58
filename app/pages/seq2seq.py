"""The page /seq2seq: `panel serve app/pages/seq2seq.py`."""

from rnnscope.app.labs.seq2seq import Seq2seqLab
from rnnscope.app.page import serve

serve(Seq2seqLab)
