"""A release for real from a file of one's own: what is drawn, what is promised, the ledger that it is paid from.

``dpot release scenario.yaml --data customers.csv --out released.csv --total 4``.
"""
