"""The page /bidirectional: `panel serve app/pages/bidirectional.py`."""

from rnnscope.app.labs.bidirectional import BidirectionalLab
from rnnscope.app.page import serve

serve(BidirectionalLab)
