"""The page /gru: `panel serve app/pages/gru.py`."""

from rnnscope.app.labs.gru import GRULab
from rnnscope.app.page import serve

serve(GRULab)
