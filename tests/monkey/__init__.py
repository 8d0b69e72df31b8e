"""Random steps through the app: whatever is pressed, typed and chosen, no page may break.

Run on 2026-11-22 on two loaded cores: 10,000 steps, 2,500 each from the first seeds 1000000, 2000000, 3000000 and
4000000. No page showed a traceback; one sequence of each run ended because these steps could not move a slider with two
thumbs, which they do now; five ended because a script ran longer than `PATIENCE`.
"""
