"""The scripts of a site without a server: what starts Python, and the worker that it runs in."""
