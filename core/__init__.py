"""RNNScope's numerics: recurrent cells, their traces, Jacobians and gradients, in NumPy alone."""

from .build import build_cell, build_initial_state, build_inputs, build_targets
from .cells import LSTM, RNN, Cell
from .chaos import ChaosPoint, chaos_grid
from .clipping import clip_by_global_norm
from .config import Config, LSTMConfig, RNNConfig
from .decay import Decay, decay
from .equations import Equation, equation, equations, loss_equations
from .formatting import format_number
from .functions import sigmoid, softmax
from .gradient_check import Deviation, GradientCheck, gradient_check
from .gradients import Gradients, bptt
from .half_life import HalfLife, half_life
from .initializers import FAMILIES, recurrent_matrix, rescale, spectral_radius
from .inputs import (
    ALPHABET,
    ALPHABET_SIZE,
    INPUTS,
    OTHER_SYMBOL,
    input_sequence,
    text_indices,
    text_targets,
)
from .jacobians import (
    gradient_log10_norms,
    jacobian_log10_norms,
    state_jacobian,
    step_jacobians,
)
from .lstm_paths import (
    LSTMPaths,
    PathMatrices,
    gates_held_fixed,
    lstm_path_matrices,
    lstm_paths,
)
from .lyapunov import lyapunov_exponents
from .mean_field import MeanField, mean_field, mean_slope
from .notation import NOTATIONS, Token, default_notation
from .run import Run, run
from .spectrum import SpanSVD, eigenvalues, henrici_departure, numerical_radius, singular_values, span_svd
from .transient import TransientPeak, transient_peak
from .unroll import Trace, unroll

__all__ = [
    "ALPHABET",
    "ALPHABET_SIZE",
    "FAMILIES",
    "INPUTS",
    "LSTM",
    "NOTATIONS",
    "OTHER_SYMBOL",
    "RNN",
    "Cell",
    "ChaosPoint",
    "Config",
    "Decay",
    "Deviation",
    "Equation",
    "GradientCheck",
    "Gradients",
    "HalfLife",
    "LSTMConfig",
    "LSTMPaths",
    "MeanField",
    "PathMatrices",
    "RNNConfig",
    "Run",
    "SpanSVD",
    "Token",
    "Trace",
    "TransientPeak",
    "bptt",
    "build_cell",
    "build_initial_state",
    "build_inputs",
    "build_targets",
    "chaos_grid",
    "clip_by_global_norm",
    "decay",
    "default_notation",
    "eigenvalues",
    "equation",
    "equations",
    "format_number",
    "gates_held_fixed",
    "gradient_check",
    "gradient_log10_norms",
    "half_life",
    "henrici_departure",
    "input_sequence",
    "jacobian_log10_norms",
    "loss_equations",
    "lstm_path_matrices",
    "lstm_paths",
    "lyapunov_exponents",
    "mean_field",
    "mean_slope",
    "numerical_radius",
    "recurrent_matrix",
    "rescale",
    "run",
    "sigmoid",
    "singular_values",
    "softmax",
    "span_svd",
    "spectral_radius",
    "state_jacobian",
    "step_jacobians",
    "text_indices",
    "text_targets",
    "transient_peak",
    "unroll",
]
