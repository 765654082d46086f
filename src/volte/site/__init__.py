"""The playroom for one person as a folder, which any host of files can serve.

`export` puts it together: pages (`pages`), static files, and below `runtime/DIGEST/` a Python for
browsers with the modules of Volte that it needs (`modules`, `runtime`). A page there is a folder
with an `index.html`. Whatever the browser keeps for good has a digest in its address.
"""
