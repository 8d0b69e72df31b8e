"""What people look at: one folder a page, on one kit."""
