"""Links and scenario files that people have: they open for ever, and give the numbers that they gave.

``python -m tests.corpus.build PAGE ...`` makes the entries of a page again, which is a deliberate change, with a line
in `CHANGELOG.md`. ``make nightly PART=corpus`` runs all entries; the suite runs a sample.
"""
