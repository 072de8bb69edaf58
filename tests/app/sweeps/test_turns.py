"""A map in turns with its page: every batch, what else the loop has to do between two of them, none after a cancel."""

import asyncio

from rnnscope.app.sweeps.runner import empty_map, put_batch
from rnnscope.app.sweeps.turns import PageLoop, Turns
from rnnscope.core import chaos_grid


def test_all_batches_make_the_map_of_core_and_the_page_has_its_turn_between_them(grid):
    exponents, done = empty_map(grid)
    order = []

    async def page():
        ended = asyncio.get_running_loop().create_future()

        def on_batch(batch):
            put_batch(grid, exponents, batch)
            order.append(batch[0])
            PageLoop().add_next_tick_callback(lambda: order.append("page"))

        Turns(grid, on_batch, ended.set_result)
        assert await ended is None

    asyncio.run(page())
    assert order == [entry for index in range(len(done)) for entry in (index, "page")]
    found = {(point.row, point.column): point.exponent for point in chaos_grid(grid)}
    assert {place: exponents[place] for place in found} == found


def test_after_a_cancel_nobody_hears_anything(grid):
    heard = []

    async def page():
        turns = Turns(grid, heard.append, heard.append)
        while not heard:
            await asyncio.sleep(0)
        turns.cancel()
        passed = asyncio.get_running_loop().create_future()
        PageLoop().add_timeout_callback(lambda: passed.set_result(None), 100)
        await passed

    asyncio.run(page())
    assert [index for index, _ in heard] == [0]


def test_what_core_refuses_is_said_at_the_end(grid, monkeypatch):
    heard = []

    def refuse(grid, index):
        raise ValueError("no such network")

    monkeypatch.setattr("rnnscope.app.sweeps.turns.chaos_batch", refuse)

    async def page():
        ended = asyncio.get_running_loop().create_future()
        Turns(grid, heard.append, ended.set_result)
        return await ended

    assert str(asyncio.run(page())) == "no such network"
    assert heard == []
