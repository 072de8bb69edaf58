"""Addresses of CDNs become files of the site."""

from panel.io.resources import CDN_DIST
from rnnscope.app.site.static import BOKEH_CDN, local, named


def test_addresses_of_both_become_files_and_are_found():
    text = f'<script src="{BOKEH_CDN}bokeh-3.9.2.min.js"></script>{{"url": "{CDN_DIST}css/loading.css"}} {CDN_DIST}none'
    assert named(local(text)) == {"static/bokeh/bokeh-3.9.2.min.js", "static/panel/css/loading.css"}
    assert "https://" not in local(text)
