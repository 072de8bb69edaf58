"""The recurrent matrix on /gradients: eigenvalues, singular values, spectral radius; whose numbers a symbol means."""

from __future__ import annotations

from typing import Any

import numpy as np
from rnnscope.core import Config

from ...words import phrase, symbol
from ..measured import Measured
from .answer import OTHER_WAY, Asked, Check, Entry, check
from .loom import titled


def cell_of(asked: Asked) -> str:
    """The cell that a curve's symbol names, else the selected one."""
    name = asked.symbol.rpartition("_")[2]
    found: str = (
        name if name in ("lstm", "gru") else "rnn" if asked.symbol == "jacobian_log10_norm" else asked.lab.state.cell
    )
    return found


def measured(asked: Asked) -> Measured:
    found: Measured = asked.lab.measured_of(cell_of(asked))
    return found


def the_rnn(asked: Asked) -> Measured:
    """The bound and the folk law are the RNN's, whatever cell is selected."""
    found: Measured = asked.lab.measured_of("rnn")
    return found


def config_of(asked: Asked) -> Config:
    found: Config = asked.lab.state.config_of(cell_of(asked))
    return found


def rnn_config(asked: Asked) -> Config:
    found: Config = asked.lab.state.config_of("rnn")
    return found


# --- the matrix ------------------------------------------------------------------------------


def blocks(asked: Asked) -> np.ndarray:
    """W_hh as (blocks, n, n)."""
    W = asked.cell.W_hh
    return W.reshape(-1, *W.shape[-2:])


def stacked_code(asked: Asked, function: str) -> str:
    """The values of a matrix, or of every block, largest modulus first."""
    if not asked.gated:
        return f"{function}(r.cell.W_hh)"
    values = f"(v := np.concatenate([{function}(W) for W in r.cell.W_hh]))"
    return f'{values}[np.argsort(-np.abs(v), kind="stable")]'


def _eigenvalue_checks(asked: Asked, _: float) -> list[Check]:
    """Of the matrix minus the eigenvalue times I one singular value is 0."""
    value = measured(asked).eigenvalues[asked.t]
    n = blocks(asked).shape[-1]
    rest = min(float(np.linalg.svd(W - value * np.eye(n), compute_uv=False)[-1]) for W in blocks(asked))
    return [check("Smallest singular value of W − λ I, 0 for an eigenvalue,", rest, 0.0, "other", OTHER_WAY)]


def _singular_checks(asked: Asked, value: float) -> list[Check]:
    """Singular values are the positive eigenvalues of the symmetric matrix [0 W; Wᵀ 0]."""
    n = blocks(asked).shape[-1]
    zero = np.zeros((n, n))
    found = [np.linalg.eigvalsh(np.block([[zero, W], [W.T, zero]]))[n:] for W in blocks(asked)]
    other = np.sort(np.concatenate(found))[::-1][asked.t]
    return [check("Eigenvalue of [0 W; Wᵀ 0]", other, value, "other", OTHER_WAY)]


def radius_of(W: np.ndarray) -> float:
    """Largest modulus from the diagonal where the matrix is triangular, else from the transposed matrix."""
    triangular = not np.tril(W, -1).any() or not np.triu(W, 1).any()
    return float(np.abs(np.diag(W) if triangular else np.linalg.eigvals(W.T)).max())


def _radius_checks(asked: Asked, value: float) -> list[Check]:
    return [
        check("Eigenvalues of Wᵀ, or its diagonal", max(radius_of(W) for W in blocks(asked)), value, "other", OTHER_WAY)
    ]


def radius_value(asked: Asked) -> float:
    found = measured(asked)
    return found.decay.spectral_radius if found.decay else float(np.abs(found.eigenvalues[0]))


def _radius_rows(asked: Asked) -> tuple[Any, int]:
    """The law's own; a sentence about eigenvalues shows the largest modulus, which may differ in the last digits."""
    law, modulus = radius_value(asked), float(np.abs(measured(asked).eigenvalues[0]))
    return [modulus if asked.shown == modulus else law], 0


def _radius_code(asked: Asked) -> str:
    if not asked.gated and _radius_rows(asked)[0][0] == radius_value(asked):
        return "spectral_radius(r.cell.W_hh)"
    return f"np.abs({stacked_code(asked, 'eigenvalues')})[0]"


def _part(asked: Asked) -> str:
    return "real" if asked.symbol == "eigenvalue_re" else "imag"


def _eigenvalue(asked: Asked) -> tuple[Any, int]:
    values = measured(asked).eigenvalues
    return np.column_stack([values.real, values.imag]), 0


MATRIX = {
    **{f"eigenvalue_{end}": Entry(
        words=f"{words} part of an eigenvalue of the recurrent weights",
        rows=_eigenvalue,
        code=lambda at: f"({stacked_code(at, 'eigenvalues')})[{at.t}].{_part(at)}",
        title=titled(f"{letters} ", lambda at: [symbol("λ", str(at.t + 1))]),
        formula=titled("det(", lambda _: [symbol("W")], " − λ I) = 0"),
        checks=_eigenvalue_checks,
    ) for end, words, letters in (("re", "real", "Re"), ("im", "imaginary", "Im"))},
    "singular_value": Entry(
        words="singular value of the recurrent weights",
        rows=lambda at: (measured(at).singular_values, 0),
        code=lambda at: f"({stacked_code(at, 'singular_values')})[{at.t}]",
        title=lambda at: phrase(symbol("σ", str(at.t + 1))),
        formula=titled("√ of an eigenvalue of ", lambda _: [symbol("W", None, "T"), symbol("W")]),
        checks=_singular_checks,
    ),
    "rho": Entry(
        words="spectral radius: largest modulus of an eigenvalue of the recurrent weights",
        rows=_radius_rows,
        code=_radius_code,
        title=titled(lambda _: [symbol("ρ"), "(", symbol("W"), ")"]),
        formula=titled("max |", lambda _: [symbol("λ", "i")], "|"),
        checks=_radius_checks,
        config=config_of,
    ),
}  # fmt: skip
