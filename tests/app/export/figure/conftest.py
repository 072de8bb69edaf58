"""What the tests of figures share: a state by its query, and its figures."""

from urllib.parse import parse_qsl

import pytest
from rnnscope.app import snapshot, url
from rnnscope.app.export.figure.catalog import figures_of, lab_of


@pytest.fixture(scope="session")
def values_of():
    def read(route, query=""):
        values, notices = url.read(snapshot.STATES[route], dict(parse_qsl(query)))
        assert notices == []
        return values

    return read


@pytest.fixture(scope="session")
def figures(values_of):
    """`figures(lab, query, variant)`: every figure of a state, by name; made once."""
    made = {}

    def find(route, query="", variant="wide"):
        key = (route, query, variant)
        if key not in made:
            lab = lab_of(snapshot.state_of(route, values_of(route, query)), route)
            made[key] = figures_of(lab, route, variant)
        return made[key]

    return find


@pytest.fixture(scope="session")
def scene(figures):
    """`scene(lab, name, query)`: a filled diagram."""
    return lambda route, name, query="", variant="wide": figures(route, query, variant)[name].content
