"""The page /lstm: `panel serve app/pages/lstm.py`."""

from rnnscope.app.labs.lstm import LSTMLab
from rnnscope.app.page import serve

serve(LSTMLab)
