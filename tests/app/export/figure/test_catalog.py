"""Which figures a lab has, and what is said where it has none."""

import pytest
from rnnscope.app import LSTMLab, snapshot
from rnnscope.app.export import CannotExport
from rnnscope.app.export.figure import catalog
from rnnscope.app.export.figure.catalog import LABS, figure_of, lab_of, picture, plain_phrase
from rnnscope.app.page import LABS as PAGES
from rnnscope.core import run


def test_every_lab_of_the_page_has_figures(figures):
    assert set(LABS) == {lab.route for lab in PAGES} == set(snapshot.STATES)
    for lab, main in LABS.items():
        assert main in figures(lab)


@pytest.mark.parametrize("lab", LABS)
def test_no_two_figures_of_a_lab_have_one_name(lab, values_of):
    made = lab_of(snapshot.state_of(lab, values_of(lab)), lab)
    assert not set(made.scenes()) & set(made.charts())


def test_the_main_figure_is_taken_where_none_is_named(values_of):
    assert figure_of("unfold", values_of("unfold")).name == "unfolded"
    assert figure_of("unfold", values_of("unfold"), "folded").name == "folded"


def test_a_name_that_is_not_there_lists_those_that_are(values_of):
    with pytest.raises(
        CannotExport, match=r"no figure 'contributions' in this state; it has folded, unfolded, states$"
    ):
        figure_of("unfold", values_of("unfold", "pattern=system"), "contributions")


def test_the_lab_shows_the_state_that_is_asked_for(values_of):
    values = values_of("lstm", "n=3&t=4&rho=1.3&surgery=f:1")
    made = lab_of(snapshot.state_of("lstm", values), "lstm")
    assert made.state.values_of() == snapshot.state_of("lstm", values).values_of()


def test_a_state_that_core_refuses_is_no_figure(values_of, monkeypatch):
    def refuse_three(config):
        if config.n == 3:
            raise ValueError("the radius is 0")
        return run(config)

    monkeypatch.setattr(LSTMLab, "run_of", staticmethod(refuse_three))
    with pytest.raises(CannotExport, match=r"^The radius is 0\.$"):
        figure_of("lstm", values_of("lstm", "n=3"))


def test_too_many_cells_are_said(figures, monkeypatch):
    monkeypatch.setattr(catalog, "MOST_CELLS", 10)
    with pytest.raises(CannotExport, match="hidden has 52 cells; a figure takes 10"):
        picture(figures("lstm")["hidden"])


def test_a_phrase_is_said_with_its_subscripts():
    phrase = [{"text": "L", "sub": "5"}, {"text": " reaches "}, {"text": "h", "sub": "2", "sup": "*"}]
    assert plain_phrase(phrase) == "L_5 reaches h_2^*"
