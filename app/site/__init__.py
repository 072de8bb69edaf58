"""The whole app as a folder of files: Python and NumPy run in the reader's browser, and any web server serves it.

`panel convert` is what this follows: its document, its protocol between page and worker, the Pyodide that Panel is
made for. What it does over the network while a page starts is done here when the site is written: micropip would ask
PyPI, the scripts of Bokeh and Panel would come from their CDN, and an error in the worker would leave a spinner.

Nothing is imported here: `live` runs in the browser, `write` and what it needs where the site is written.
"""
