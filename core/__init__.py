"""RNNScope's numerics: recurrent cells, their traces, Jacobians and gradients, in NumPy alone."""

from .attention import (
    Attention,
    AttentionGradients,
    attend,
    attend_vjp,
    attention_weights,
    attentional_state,
    attentional_state_vjp,
    context_jacobians,
)
from .bidirectional import (
    Bidirectional,
    BidirectionalGradients,
    BidirectionalTrace,
    bidirectional_vjp,
    run_bidirectional,
)
from .build import build_cell, build_initial_state, build_inputs, build_targets
from .cells import GRU, LSTM, RNN, Cell
from .clipping import clip_by_global_norm
from .config import Config, GRUConfig, LSTMConfig, RNNConfig
from .conventions import from_keras, from_onnx, from_pytorch, to_keras, to_onnx, to_pytorch
from .convolution import CausalConvolution, ConvolutionTrace, convolution_vjp, convolve, receptive_field
from .costs import Costs, costs
from .decay import Decay, decay
from .equations import Equation, backward_equations, equation, equations, loss_equations
from .formatting import format_number
from .functions import sigmoid, softmax
from .gradients import Gradients, bptt
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
from .last_output import LastOutputGradients, last_output_gradients
from .notation import NOTATIONS, Token, default_notation
from .output_recurrence import (
    OutputRecurrence,
    OutputRecurrenceGradients,
    OutputRecurrenceTrace,
    output_recurrence_gradients,
    run_output_recurrence,
)
from .positional import add_positions, add_positions_vjp, position_products, relative_shift, sinusoidal_encoding
from .run import Run, run
from .scorers import AdditiveScorer, ConcatScorer, DotScorer, GeneralScorer, Scorer
from .search import GreedyDecoding, Hypothesis, SearchNode, SearchTree, beam_search, exhaustive_search, greedy_decode
from .self_attention import (
    MultiHeadAttention,
    MultiHeadGradients,
    MultiHeadTrace,
    ScaledDotProduct,
    causal_mask,
    multi_head_attention,
    multi_head_vjp,
    scaled_dot_product_attention,
    scaled_dot_product_vjp,
    self_attention,
)
from .seq2seq import EncoderDecoder, Encoding, encode
from .seq2seq_gradients import EncoderDecoderGradients, decoder_jacobians, encoder_decoder_gradients
from .seq2seq_run import EncoderDecoderTrace, run_encoder_decoder
from .spectrum import eigenvalues, lyapunov_exponents, singular_values
from .unroll import Trace, unroll

__all__ = [
    "ALPHABET",
    "ALPHABET_SIZE",
    "FAMILIES",
    "GRU",
    "INPUTS",
    "LSTM",
    "NOTATIONS",
    "OTHER_SYMBOL",
    "RNN",
    "Cell",
    "Config",
    "Decay",
    "Equation",
    "GRUConfig",
    "Gradients",
    "LSTMConfig",
    "RNNConfig",
    "Run",
    "Token",
    "Trace",
    "backward_equations",
    "bptt",
    "build_cell",
    "build_initial_state",
    "build_inputs",
    "build_targets",
    "clip_by_global_norm",
    "decay",
    "default_notation",
    "eigenvalues",
    "equation",
    "equations",
    "format_number",
    "from_keras",
    "from_onnx",
    "from_pytorch",
    "gradient_log10_norms",
    "input_sequence",
    "jacobian_log10_norms",
    "loss_equations",
    "lyapunov_exponents",
    "recurrent_matrix",
    "rescale",
    "run",
    "sigmoid",
    "singular_values",
    "softmax",
    "spectral_radius",
    "state_jacobian",
    "step_jacobians",
    "text_indices",
    "text_targets",
    "to_keras",
    "to_onnx",
    "to_pytorch",
    "unroll",
]

# Sequence models.
__all__ += [
    "AdditiveScorer",
    "Attention",
    "AttentionGradients",
    "Bidirectional",
    "BidirectionalGradients",
    "BidirectionalTrace",
    "CausalConvolution",
    "ConcatScorer",
    "ConvolutionTrace",
    "Costs",
    "DotScorer",
    "EncoderDecoder",
    "EncoderDecoderGradients",
    "EncoderDecoderTrace",
    "Encoding",
    "GeneralScorer",
    "GreedyDecoding",
    "Hypothesis",
    "LastOutputGradients",
    "MultiHeadAttention",
    "MultiHeadGradients",
    "MultiHeadTrace",
    "OutputRecurrence",
    "OutputRecurrenceGradients",
    "OutputRecurrenceTrace",
    "ScaledDotProduct",
    "Scorer",
    "SearchNode",
    "SearchTree",
    "add_positions",
    "add_positions_vjp",
    "attend",
    "attend_vjp",
    "attention_weights",
    "attentional_state",
    "attentional_state_vjp",
    "beam_search",
    "bidirectional_vjp",
    "causal_mask",
    "context_jacobians",
    "convolution_vjp",
    "convolve",
    "costs",
    "decoder_jacobians",
    "encode",
    "encoder_decoder_gradients",
    "exhaustive_search",
    "greedy_decode",
    "last_output_gradients",
    "multi_head_attention",
    "multi_head_vjp",
    "output_recurrence_gradients",
    "position_products",
    "receptive_field",
    "relative_shift",
    "run_bidirectional",
    "run_encoder_decoder",
    "run_output_recurrence",
    "scaled_dot_product_attention",
    "scaled_dot_product_vjp",
    "self_attention",
    "sinusoidal_encoding",
]
