"""What runs in the browser, as far as it can run here: `panel.io.pyodide` exists there alone."""

import sys
from importlib.util import find_spec

from rnnscope.app.site.live import _stand_in


def test_a_stand_in_is_there_for_an_import_and_gone_after_it():
    with _stand_in("no_such_package", "read_csv"):
        import no_such_package  # noqa: PLC0415

        assert no_such_package.read_csv is None
        assert find_spec("no_such_package") is not None
    assert "no_such_package" not in sys.modules
    assert find_spec("no_such_package") is None
