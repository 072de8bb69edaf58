"""A span of steps as a film: the Jacobian of each step, and what a circle of perturbations becomes on the way."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .arrays import Array, checked_integer
from .cells import Cell
from .jacobians import scaled_step_jacobians
from .scaling import LOG10_2, Exponents, rescale_power_of_two
from .spectrum import eigenvalues, singular_values, span_svd
from .unroll import Trace

Complex = npt.NDArray[np.complex128]


@dataclass(frozen=True, eq=False)
class StepSpectrum:
    """The Jacobian of one step with its spectrum; arrays are read-only float64, the eigenvalues complex128.

    Attributes
    ----------
    jacobian : (s, s)
        d state_t / d state_{t-1}.
    eigenvalues : (s,)
        Largest modulus first.
    singular_values : (s,)
        Largest first.
    log10_det : float
        log10 |det|; -inf where the Jacobian is singular.

    Where the Jacobian is not finite, everything but itself is NaN.
    """

    jacobian: Array
    eigenvalues: Complex
    singular_values: Array
    log10_det: float


@dataclass(frozen=True, eq=False)
class PerturbationEllipses:
    """The image of a unit circle of perturbations of state_k at each step j = k … t; read-only arrays.

    With u on the unit circle the image at step j is matrices[j - k] u * 2**exponents[j - k].

    Attributes
    ----------
    first : int
        The step k of the first row.
    plane : (s, 2)
        Orthonormal columns: the directions of state_k that the circle spans; (1, 1) for a state of one number.
    matrices : (t - k + 1, 2, 2)
        In a basis of the image plane that is carried along (see `perturbation_ellipses`).
    exponents : (t - k + 1,)
        Of two.
    log10_semi_axes : (t - k + 1, 2)
        The longer first; -inf where the ellipse is flat.
    angles : (t - k + 1,)
        Of the long axis, radians in [0, pi).
    """

    first: int
    plane: Array
    matrices: Array
    exponents: Exponents
    log10_semi_axes: Array
    angles: Array

    @property
    def exact(self) -> bool:
        """Whether the plane is the whole state space."""
        return len(self.plane) <= 2

    @property
    def semi_axes(self) -> Array:
        """The semi-axes as float64, shape (t - k + 1, 2): 0 or inf past its range."""
        with np.errstate(over="ignore", under="ignore"):
            return np.asarray(10.0**self.log10_semi_axes)


def step_spectrum(cell: Cell, trace: Trace, t: int) -> StepSpectrum:
    """The Jacobian of step t, 1 <= t <= T, with its eigenvalues and singular values."""
    t = checked_integer("t", t, 1, trace.steps)
    with np.errstate(over="ignore", invalid="ignore"):
        jacobian = np.array(cell.jacobian(trace.xs[t - 1], trace.states[t - 1]))
    if not np.isfinite(jacobian).all():
        nothing = np.full(len(jacobian), np.nan)
        return _frozen_spectrum(jacobian, nothing.astype(np.complex128), nothing, np.nan)
    log10_det = float(np.linalg.slogdet(jacobian)[1] / np.log(10.0))
    return _frozen_spectrum(jacobian, eigenvalues(jacobian), singular_values(jacobian), log10_det)


def _frozen_spectrum(jacobian: Array, roots: Complex, values: Array, log10_det: float) -> StepSpectrum:
    for array in (jacobian, roots, values):
        array.flags.writeable = False
    return StepSpectrum(jacobian, roots, values, log10_det)


def perturbation_ellipses(cell: Cell, trace: Trace, k: int, t: int) -> PerturbationEllipses:
    """What a unit circle of perturbations of state_k becomes at each step j = k … t, 0 <= k <= t <= T.

    A state of two numbers keeps its own axes, and the circle is all there is: the matrices are the products
    J_j … J_{k+1}. Of a larger state the circle lies in the plane V of the two leading right singular directions of
    d state_t / d state_k. Its image is drawn in Q_j, which starts as Q_k = V and is the orthogonal polar factor of
    J_j Q_{j-1}: of all orthonormal bases of the image plane the one nearest to what the step makes of the last (Higham,
    Functions of Matrices, 2008, theorem 8.4), so that the picture does not spin without cause. The matrices are
    B_j = Q_j^T J_j Q_{j-1} B_{j-1}; their singular values are those of J_j … J_{k+1} V, at j = t the two largest
    of the whole product. A state of one number has a segment: the second row and column are 0.

    The longer semi-axis is read from B_j, the shorter one from its determinant, which is a product of the steps'
    own: it stays right where the ellipse is thinner than rounding.

    Raises
    ------
    ValueError
        For k and t outside the run, and where the run's Jacobians are not finite.
    """
    t = checked_integer("t", t, 0, trace.steps)
    k = checked_integer("k", k, 0, t)
    plane = _plane(cell, trace, k, t)
    jacobians, shifts = scaled_step_jacobians(cell, trace, k, t)
    maps = _embedded(jacobians if cell.state_size <= 2 else _carried(jacobians, plane))
    start = np.diag([1.0, float(cell.state_size > 1)])
    matrices, exponents = _running(start, maps, shifts)
    log10_axes, angles = _axes(matrices, exponents, _log10_dets(start, maps, shifts))
    for array in (plane, matrices, exponents, log10_axes, angles):
        array.flags.writeable = False
    return PerturbationEllipses(k, plane, matrices, exponents, log10_axes, angles)


def _plane(cell: Cell, trace: Trace, k: int, t: int) -> Array:
    """Directions of state_k that span the circle, as columns; refuses Jacobians that are not finite."""
    leading = span_svd(cell, trace, k, t).Vt[:2].T
    return np.eye(cell.state_size) if cell.state_size <= 2 else leading.copy()


def _carried(jacobians: Array, plane: Array) -> Array:
    """Return Q_j^T J_j Q_{j-1} for every step, (span, 2, 2); each is the symmetric polar factor of J_j Q_{j-1}."""
    maps, basis = np.empty((len(jacobians), 2, 2)), plane
    for i, jacobian in enumerate(jacobians):
        U, values, Wt = np.linalg.svd(jacobian @ basis, full_matrices=False)
        basis = U @ Wt
        maps[i] = (Wt.T * values) @ Wt
    return maps


def _embedded(maps: Array) -> Array:
    """Return maps (span, 1, 1) or (span, 2, 2) as (span, 2, 2)."""
    size = maps.shape[-1]
    return np.pad(maps, ((0, 0), (0, 2 - size), (0, 2 - size)))


def _running(start: Array, maps: Array, shifts: Exponents) -> tuple[Array, Exponents]:
    """Return the products of the maps so far, newest on the left, scaled by powers of two."""
    matrices, exponents = np.empty((len(maps) + 1, 2, 2)), np.zeros(len(maps) + 1, dtype=np.int64)
    matrices[0] = start
    for i, step in enumerate(maps):
        matrices[i + 1], extra = rescale_power_of_two(step @ matrices[i], (-2, -1))
        exponents[i + 1] = exponents[i] + shifts[i] + extra
    return matrices, exponents


def _log10_dets(start: Array, maps: Array, shifts: Exponents) -> Array:
    """log10 |det| of every product so far at its true scale, shape (span + 1,); -inf from a singular step on."""
    with np.errstate(divide="ignore"):
        logs = np.linalg.slogdet(np.concatenate([start[None], maps]))[1] / np.log(10.0)
    logs[1:] += 2 * shifts * LOG10_2
    return np.asarray(np.cumsum(logs))


def _axes(matrices: Array, exponents: Exponents, log10_dets: Array) -> tuple[Array, Array]:
    """Return log10 of both semi-axes (span + 1, 2), the longer first, and the angle of that one (span + 1,)."""
    U, values, _ = np.linalg.svd(matrices)
    with np.errstate(divide="ignore"):
        longer = np.log10(values[:, 0]) + exponents * LOG10_2
    gone = np.isneginf(longer)
    # The smaller of the two: rounding may put the shorter axis of a circle above the longer one.
    shorter = np.minimum(log10_dets - np.where(gone, 0.0, longer), longer)
    angles = np.mod(np.arctan2(U[:, 1, 0], U[:, 0, 0]), np.pi)
    return np.column_stack([longer, shorter]), angles
