"""Recurrent cells: frozen dataclasses with step, jacobian and vjp side by side."""

from .gru import GRU
from .lstm import LSTM
from .rnn import RNN
from .step import Cell, StepGradients

__all__ = ["GRU", "LSTM", "RNN", "Cell", "StepGradients"]
