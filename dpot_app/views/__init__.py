"""Views: one folder a page, one folder a view, on one kit; the same names in each.

A page has ``settings.py``: what it asks for; ``views.py``: what its views have in common; ``disclosed.py``: what its
numbers give away; ``need.py``: what may be needed of it; ``lesson.py``: formulas and exercises. A view has
``results.py``: what is computed; ``figures.py``: results in, Plotly figures out; ``text.py``: what the page says of
them, and the view itself.
"""
