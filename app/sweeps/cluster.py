"""The batches of a map on a Dask cluster."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from typing import Any

from .errors import SweepError

#: Seconds until a scheduler that does not answer is said to be absent.
TIMEOUT = 5
#: How often Dask tries a batch again whose worker was lost.
RETRIES = 3
#: Batches in flight for each thread of the cluster: one that is computed, one that waits.
AHEAD = 2


@contextmanager
def connect(address: str, timeout: float = TIMEOUT) -> Iterator[tuple[Executor, int]]:
    """Give an executor on the cluster at `address`, and how many batches to keep in flight.

    Raises
    ------
    SweepError
        Where Dask is not installed, the address does not answer within `timeout` seconds, or there is no worker.
    """
    client = _client(address, timeout)
    try:
        threads = sum(client.nthreads().values())
        if not threads:
            raise SweepError(f"the scheduler at {address} has no workers")
        # Not pure: a batch that failed must not be answered from what an earlier sweep left.
        yield client.get_executor(pure=False, retries=RETRIES), AHEAD * threads
    finally:
        client.close()


def _client(address: str, timeout: float) -> Any:
    try:
        import distributed  # noqa: PLC0415 -- an extra: only who has a cluster needs it
    except ImportError as error:
        raise SweepError("--scheduler takes Dask: pip install 'rnnscope[dask]'") from error
    if not re.fullmatch(r"([a-z]+://)?[^\s/]+:\d{1,5}/?", address):
        raise SweepError(f"the address of a scheduler is HOST:PORT, e.g. tcp://127.0.0.1:8786, got {address!r}")
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what goes wrong is said once, by us
    try:
        return distributed.Client(address, timeout=timeout, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        raise SweepError(f"no Dask scheduler answers at {address} within {timeout:g} s") from error
