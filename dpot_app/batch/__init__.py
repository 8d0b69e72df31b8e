"""Without a screen: scenarios, sweeps, reports, what they write."""
