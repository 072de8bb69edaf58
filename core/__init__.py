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
from .attention_run import (
    ATTENTION_INPUTS,
    MASKS,
    POSITIONS,
    AttentionConfig,
    AttentionRun,
    build_attention,
    build_tokens,
    permutation_difference,
    run_attention,
)
from .bidirectional import (
    Bidirectional,
    BidirectionalGradients,
    BidirectionalTrace,
    bidirectional_vjp,
    run_bidirectional,
)
from .bidirectional_equations import ChainEquation, ReadOutEquation, bidirectional_equation, read_out_equation
from .bidirectional_run import (
    BidirectionalConfig,
    BidirectionalRun,
    ChangedInput,
    InputReach,
    bidirectional_reach,
    build_bidirectional,
    change_input,
    run_both,
)
from .build import build_cell, build_initial_state, build_inputs, build_targets
from .cells import GRU, LSTM, RNN, Cell
from .cells.gru import RESETS, UPDATES
from .central import central_difference, state_difference
from .chain_factors import ChainFactors, chain_factors
from .chaos import ChaosGrid, ChaosPoint, chaos_batch, chaos_grid, zero_crossings
from .clipping import clip_by_global_norm, gradient_angle, gradient_norm
from .config import Config, GRUConfig, LSTMConfig, RNNConfig
from .conventions import from_keras, from_onnx, from_pytorch, to_keras, to_onnx, to_pytorch
from .convolution import CausalConvolution, ConvolutionTrace, convolution_vjp, convolve, receptive_field
from .cost_curves import COST_AXES, QUANTITIES, SIZES, Crossing, cost_crossings, cost_curve, cost_of
from .costs import MODELS, Costs, costs
from .decay import Decay, decay
from .equations import Equation, backward_equations, equation, equations, loss_equations
from .film import PerturbationEllipses, StepSpectrum, perturbation_ellipses, step_spectrum
from .forcing import FORCINGS, ForcingComparison, compare_forcing
from .formatting import format_number
from .functions import sigmoid, softmax
from .given import Given, GivenConfig
from .glossary import meaning_of
from .gradient_check import Deviation, GradientCheck, gradient_check
from .gradients import Gradients, bptt
from .gru_variants import VariantDifferences, gru_wires, variant_differences, with_negated_update, with_other_reset
from .half_life import HalfLife, half_life
from .initializers import FAMILIES, recurrent_matrix, rescale, spectral_radius
from .inputs import ALPHABET, ALPHABET_SIZE, INPUTS, OTHER_SYMBOL, input_sequence, text_indices, text_targets
from .intervals import wilson_interval
from .jacobians import gradient_log10_norms, jacobian_log10_norms, state_jacobian, step_jacobians
from .last_output import LastOutputGradients, last_output_gradients
from .learned_positions import LearnedPositions, PositionTask, learn_positions, position_loss, start_model
from .lstm_paths import (
    PATHS,
    LSTMPaths,
    PathMatrices,
    cell_state_log10_norm,
    gates_held_fixed,
    lstm_path_matrices,
    lstm_paths,
)
from .lyapunov import largest_lyapunov_exponent, lyapunov_exponents
from .mean_field import MeanField, mean_field, mean_slope
from .memory import input_gradient_norms, memory_reach
from .notation import NOTATIONS, Token, default_notation
from .output_recurrence import (
    OutputRecurrence,
    OutputRecurrenceGradients,
    OutputRecurrenceTrace,
    output_recurrence_gradients,
    run_output_recurrence,
)
from .parting import BoundParting, Parting, bound_parting, parting
from .patterns import convolution_pattern, last_pattern, output_pattern, system_pattern
from .positional import (
    add_positions,
    add_positions_vjp,
    position_products,
    products_by_distance,
    relative_shift,
    sinusoidal_encoding,
)
from .products import Product, products
from .run import Run, run, run_cell
from .scorers import AdditiveScorer, ConcatScorer, DotScorer, GeneralScorer, Scorer
from .search import (
    GreedyDecoding,
    Hypothesis,
    SearchLevel,
    SearchNode,
    SearchTree,
    beam_search,
    exhaustive_search,
    greedy_decode,
)
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
from .softmax_scaling import (
    LARGEST_KEY,
    SCALING_KEYS,
    SCALING_QUERIES,
    DrawnPairs,
    ScalingMeasure,
    draw_pairs,
    measure_scaling,
    softmax_jacobian,
    softmax_jacobian_norms,
    weight_entropy,
)
from .spectrum import SpanSVD, eigenvalues, henrici_departure, numerical_radius, singular_values, span_svd
from .substeps import Substep, substep_values, substeps
from .surgery import (
    DELETED,
    Clamp,
    InputEdit,
    OperatedRun,
    Surgery,
    check_surgery,
    clamped_units,
    guided,
    operate,
    operate_on,
    operated_bptt,
    operated_log10_norms,
    operated_step_jacobians,
)
from .transient import TransientPeak, transient_peak
from .unroll import Trace, unroll

# fmt: off
__all__ = [
    "ALPHABET", "ALPHABET_SIZE", "ATTENTION_INPUTS", "COST_AXES", "DELETED", "FAMILIES", "FORCINGS", "GRU", "INPUTS",
    "LARGEST_KEY", "LSTM", "MASKS", "MODELS", "NOTATIONS", "OTHER_SYMBOL", "PATHS", "POSITIONS", "QUANTITIES", "RESETS",
    "RNN", "SCALING_KEYS", "SCALING_QUERIES", "SIZES", "UPDATES", "AdditiveScorer", "Attention", "AttentionConfig",
    "AttentionGradients", "AttentionRun", "Bidirectional", "BidirectionalConfig", "BidirectionalGradients",
    "BidirectionalRun", "BidirectionalTrace", "BoundParting", "CausalConvolution", "Cell", "ChainEquation",
    "ChainFactors", "ChangedInput", "ChaosGrid", "ChaosPoint", "Clamp", "ConcatScorer", "Config", "ConvolutionTrace",
    "Costs", "Crossing", "Decay", "Deviation", "DotScorer", "DrawnPairs", "EncoderDecoder", "EncoderDecoderGradients",
    "EncoderDecoderTrace", "Encoding", "Equation", "ForcingComparison", "GRUConfig", "GeneralScorer", "Given",
    "GivenConfig", "GradientCheck", "Gradients", "GreedyDecoding", "HalfLife", "Hypothesis", "InputEdit", "InputReach",
    "LSTMConfig", "LSTMPaths", "LastOutputGradients", "LearnedPositions", "MeanField", "MultiHeadAttention",
    "MultiHeadGradients", "MultiHeadTrace", "OperatedRun", "OutputRecurrence", "OutputRecurrenceGradients",
    "OutputRecurrenceTrace", "Parting", "PathMatrices", "PerturbationEllipses", "PositionTask", "Product", "RNNConfig",
    "ReadOutEquation", "Run", "ScaledDotProduct", "ScalingMeasure", "Scorer", "SearchLevel", "SearchNode", "SearchTree",
    "SpanSVD", "StepSpectrum", "Substep", "Surgery", "Token", "Trace", "TransientPeak", "VariantDifferences",
    "add_positions", "add_positions_vjp", "attend", "attend_vjp", "attention_weights", "attentional_state",
    "attentional_state_vjp", "backward_equations", "beam_search", "bidirectional_equation", "bidirectional_reach",
    "bidirectional_vjp", "bound_parting", "bptt", "build_attention", "build_bidirectional", "build_cell",
    "build_initial_state", "build_inputs", "build_targets", "build_tokens", "causal_mask", "cell_state_log10_norm",
    "central_difference", "chain_factors", "change_input", "chaos_batch", "chaos_grid", "check_surgery",
    "clamped_units", "clip_by_global_norm", "compare_forcing", "context_jacobians", "convolution_pattern",
    "convolution_vjp", "convolve", "cost_crossings", "cost_curve", "cost_of", "costs", "decay", "decoder_jacobians",
    "default_notation", "draw_pairs", "eigenvalues", "encode", "encoder_decoder_gradients", "equation", "equations",
    "exhaustive_search", "format_number", "from_keras", "from_onnx", "from_pytorch", "gates_held_fixed",
    "gradient_angle", "gradient_check", "gradient_log10_norms", "gradient_norm", "greedy_decode", "gru_wires", "guided",
    "half_life", "henrici_departure", "input_gradient_norms", "input_sequence", "jacobian_log10_norms",
    "largest_lyapunov_exponent", "last_output_gradients", "last_pattern", "learn_positions", "loss_equations",
    "lstm_path_matrices", "lstm_paths", "lyapunov_exponents", "mean_field", "mean_slope", "meaning_of",
    "measure_scaling", "memory_reach", "multi_head_attention", "multi_head_vjp", "numerical_radius", "operate",
    "operate_on", "operated_bptt", "operated_log10_norms", "operated_step_jacobians", "output_pattern",
    "output_recurrence_gradients", "parting", "permutation_difference", "perturbation_ellipses", "position_loss",
    "position_products", "products", "products_by_distance", "read_out_equation", "receptive_field", "recurrent_matrix",
    "relative_shift", "rescale", "run", "run_attention", "run_bidirectional", "run_both", "run_cell",
    "run_encoder_decoder", "run_output_recurrence", "scaled_dot_product_attention", "scaled_dot_product_vjp",
    "self_attention", "sigmoid", "singular_values", "sinusoidal_encoding", "softmax", "softmax_jacobian",
    "softmax_jacobian_norms", "span_svd", "spectral_radius", "start_model", "state_difference", "state_jacobian",
    "step_jacobians", "step_spectrum", "substep_values", "substeps", "system_pattern", "text_indices", "text_targets",
    "to_keras", "to_onnx", "to_pytorch", "transient_peak", "unroll", "variant_differences", "weight_entropy",
    "wilson_interval", "with_negated_update", "with_other_reset", "zero_crossings",
]
# fmt: on
