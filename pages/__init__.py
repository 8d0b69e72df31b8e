"""The pages of the app; app.py names them."""
