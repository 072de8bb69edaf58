"""The page /gradients: `panel serve app/pages/gradients.py`."""

from rnnscope.app.labs.gradients import GradientLab
from rnnscope.app.page import serve

serve(GradientLab)
