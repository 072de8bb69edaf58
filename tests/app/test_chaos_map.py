"""The edge of chaos on /gradients, without a browser: what is started, shown, cancelled, and how often it is sent."""

import time
from concurrent.futures import Executor
from types import SimpleNamespace

import numpy as np
import pytest
from rnnscope.app import GradientLab
from rnnscope.app.labs import chaos_map
from rnnscope.core import ChaosGrid, chaos_grid

from tests.app.held import Held, wait_for
from tests.app.texts import spoken

QUERY = {"n": "3", "T": "5", "seed": "4", "rho": "1.3", "sigma_in": "0.4"}
SIZE = 20


class Document:
    """What the map asks of a session's document."""

    def __init__(self):
        self.ticks, self.timeouts, self.ends = [], [], []
        self.add_next_tick_callback = self.ticks.append
        self.on_session_destroyed = self.ends.append

    def add_timeout_callback(self, call, milliseconds):
        self.timeouts.append((call, milliseconds))


@pytest.fixture
def pool(monkeypatch):
    held = Held()
    monkeypatch.setattr(chaos_map, "shared_pool", lambda: held)
    monkeypatch.setattr(chaos_map, "STEPS", 24)
    return held


@pytest.fixture
def document(monkeypatch):
    made = Document()
    monkeypatch.setattr(chaos_map, "pn", SimpleNamespace(state=SimpleNamespace(curdoc=made)))
    return made


def detail_of(lab):
    return lab._details["map"]


def tell(lab, **message):
    lab._answer({"action": "tell", "sequence": 1, "detail": "map", "message": message})


def start(lab, size=SIZE):
    tell(lab, action="start", size=size)


def finish(lab, pool):
    while detail_of(lab).texts()["running"]:
        if pool.calls:
            pool.run()


def expected(lab):
    rhos, strengths = np.linspace(0, 3, SIZE).tolist(), np.linspace(0, 2, SIZE).tolist()
    return {
        (p.row, p.column): p.exponent for p in chaos_grid(ChaosGrid(lab.state.config_of("rnn"), rhos, strengths, 24))
    }


def numbers(phrase, name):
    return [float(token["value"]) for token in phrase if token.get("symbol") == name]


def test_nothing_is_computed_before_it_is_asked_for(pool):
    lab = GradientLab(QUERY)
    texts, arrays = detail_of(lab).texts(), detail_of(lab).arrays()
    assert (texts["done"], texts["total"], texts["running"], texts["former"]) == (0, 1600, False, False)
    assert spoken(texts["summary"]) == "No point is computed yet."
    assert not arrays["known"][0].any()
    assert pool.calls == []


def test_a_finished_map_is_that_of_core(pool):
    lab = GradientLab(QUERY)
    start(lab)
    finish(lab, pool)
    wanted = expected(lab)
    exponents = detail_of(lab).arrays()["exponents"][0]
    assert {place: exponents[place] for place in np.ndindex(exponents.shape)} == wanted
    texts = detail_of(lab).texts()
    assert (texts["done"], texts["total"], texts["error"]) == (400, 400, "")
    assert spoken(texts["status"]) == "400 of 400 points"


def test_the_summary_and_the_table_are_of_the_point_nearest_to_the_pages(pool):
    lab = GradientLab(QUERY)
    start(lab)
    finish(lab, pool)
    wanted, texts, arrays = expected(lab), detail_of(lab).texts(), detail_of(lab).arrays()
    row, column = 8, 4  # 8 * 3 / 19 = 1.26, 4 * 2 / 19 = 0.42
    assert numbers(texts["summary"], "map_share") == [np.mean([value > 0 for value in wanted.values()])]
    assert numbers(texts["summary"], "map_lyapunov") == [wanted[row, column]]
    assert numbers(texts["summary"], "map_rho") == [8 * 3 / 19]
    assert arrays["row_exponents"][0].tolist() == [wanted[row, place] for place in range(SIZE)]
    assert set(arrays["row_rhos"][0]) == {np.linspace(0, 3, SIZE)[row]}
    for edge in numbers(texts["summary"], "map_edge"):
        below = int(edge / 3 * 19)
        assert (wanted[below, column] > 0) != (wanted[below + 1, column] > 0)


def test_a_point_beyond_the_map_is_said(pool):
    lab = GradientLab({**QUERY, "sigma_in": "3"})
    start(lab)
    finish(lab, pool)
    assert "lies beyond the map" in spoken(detail_of(lab).texts()["summary"])


def test_a_cancelled_map_keeps_what_it_has_and_takes_no_more(pool):
    lab = GradientLab(QUERY)
    start(lab)
    pool.run()
    wait_for(lambda: detail_of(lab).texts()["done"] == 32)
    tell(lab, action="cancel")
    texts = detail_of(lab).texts()
    assert (texts["running"], spoken(texts["status"])) == (False, "32 of 400 points, cancelled")
    pool.run()
    assert detail_of(lab)._sweep.join(20)
    assert detail_of(lab).texts()["done"] == 32
    assert all(future.cancelled() for future, _, _ in pool.calls)


def test_a_map_is_of_the_former_network_once_what_it_depends_on_changes(pool):
    lab = GradientLab(QUERY)
    start(lab)
    finish(lab, pool)
    for key, value, former in [
        ("rho", "2", False), ("sigma_in", "1", False), ("T", "9", False),
        ("seed", "5", True), ("seed", "4", False), ("n", "4", True), ("n", "3", False),
        ("activation", "relu", True), ("activation", "tanh", False), ("family", "identity", True),
        ("family", "gaussian", False), ("input", "zero", True),
    ]:  # fmt: skip
        lab._answer({"action": "set", "sequence": 1, "values": {key: value}})
        assert detail_of(lab).texts()["former"] is former, key
    assert "former network" in spoken(detail_of(lab).texts()["status"])
    start(lab)
    assert not detail_of(lab).texts()["former"]


def test_a_new_start_ends_the_map_before(pool):
    lab = GradientLab(QUERY)
    start(lab)
    first = detail_of(lab)._sweep
    start(lab)
    pool.run()
    assert first.join(20)
    finish(lab, pool)
    assert detail_of(lab).texts()["done"] == 400


@pytest.mark.parametrize(
    "message",
    [{"action": "start", "size": 7}, {"action": "start"}, {"action": "start", "size": [20]}, {"action": "go"}, {}],
)
def test_what_the_page_cannot_ask_is_not_done(pool, message):
    lab = GradientLab(QUERY)
    tell(lab, **message)
    tell(lab, action="cancel")
    assert not detail_of(lab).texts()["running"]
    assert pool.calls == []


def test_a_pool_that_fails_is_one_line_on_the_page(monkeypatch):
    class Broken(Executor):
        def submit(self, fn, /, *args):
            raise OSError("a worker process ended: SIGKILL")

    monkeypatch.setattr(chaos_map, "shared_pool", Broken)
    lab = GradientLab(QUERY)
    start(lab)
    wait_for(lambda: not detail_of(lab).texts()["running"])
    assert detail_of(lab).texts()["error"] == "a worker process ended: SIGKILL"


def test_pictures_are_few_and_the_last_batch_is_among_them(pool, document):
    lab = GradientLab(QUERY)
    start(lab)
    pool.run()
    wait_for(lambda: document.ticks)
    pool.run()
    wait_for(lambda: detail_of(lab).texts()["done"] == 64)
    assert len(document.ticks) == 1
    before = lab.view.frame
    document.ticks.pop()()
    assert lab.view.frame is not before
    pool.run()
    wait_for(lambda: document.ticks)
    before = lab.view.frame
    document.ticks.pop()()
    assert lab.view.frame is before, "a second picture at once"
    ((push, milliseconds),) = document.timeouts
    assert 0 < milliseconds <= 200
    finish(lab, pool)
    assert document.ticks == []
    detail_of(lab)._pushed = 0.0
    push()
    assert '"done": 400' in lab.view.frame["json"]
    assert lab.view.frame is not before


def test_while_the_page_is_being_used_its_answers_come_first(pool, document):
    lab = GradientLab(QUERY)
    start(lab)
    pool.run()
    wait_for(lambda: document.ticks)
    document.ticks.pop()()
    pool.run()
    wait_for(lambda: document.ticks)
    lab._answer({"action": "set", "sequence": 2, "values": {"rho": "1.4"}})
    detail_of(lab)._pushed = time.monotonic() - 0.5
    before = lab.view.frame
    document.ticks.pop()()
    assert lab.view.frame is before
    document.timeouts.pop()[0]()
    assert lab.view.frame is not before


def test_the_end_of_the_session_is_the_end_of_its_map(pool, document):
    lab = GradientLab(QUERY)
    start(lab)
    wait_for(lambda: len(pool.calls) == chaos_map.AHEAD)
    (end,) = document.ends
    end(None)
    pool.run()
    assert detail_of(lab)._sweep.join(20)
    assert document.ticks == []
