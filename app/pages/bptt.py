"""The page /bptt: `panel serve app/pages/bptt.py`."""

from rnnscope.app.labs.bptt import BPTTLab
from rnnscope.app.page import serve

serve(BPTTLab)
