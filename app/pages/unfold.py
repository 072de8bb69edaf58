"""The page /unfold: `panel serve app/pages/unfold.py`."""

from rnnscope.app.labs.unfold import UnfoldLab
from rnnscope.app.page import serve

serve(UnfoldLab)
