"""The app: what people look at, and how it is served."""
