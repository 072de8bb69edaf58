"""The page /attention: `panel serve app/pages/attention.py`."""

from rnnscope.app.labs.attention import AttentionLab
from rnnscope.app.page import serve

serve(AttentionLab)
