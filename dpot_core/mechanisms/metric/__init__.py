"""Privacy in proportion to distance: whole histories of people, compared by the earth mover's distance.

A mechanism is (alpha, delta)-d_EM-private when any two histories ``K``, ``K'`` of one person have
``P[M(K) in S] <= exp(alpha d_EM(K, K')) P[M(K') in S] + delta``. Distances count in units of the largest one.
"""
