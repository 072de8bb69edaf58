"""Small encoder-decoders that really learn: tasks made here, Adam, teacher forcing, and what came of it."""

from .adam import Adam
from .dates import STYLES, DateStyle
from .evaluate import LengthAccuracy, accuracy_by_length, exact_match, exact_matches
from .forced import Batch, Forced, forced_gradients
from .loop import Progress, begin, draw_batches, make_batch, train, train_round
from .recipe import ATTENTIONS, RECIPES, Recipe, build_model, held_out_rng, start_model
from .tasks import TASKS, Example, Task, is_held_out

# fmt: off
__all__ = [
    "ATTENTIONS", "RECIPES", "STYLES", "TASKS", "Adam", "Batch", "DateStyle", "Example", "Forced", "LengthAccuracy",
    "Progress", "Recipe", "Task", "accuracy_by_length", "begin", "build_model", "draw_batches", "exact_match",
    "exact_matches", "forced_gradients", "held_out_rng", "is_held_out", "make_batch", "start_model", "train",
    "train_round",
]
# fmt: on
