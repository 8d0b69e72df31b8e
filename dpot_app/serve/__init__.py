"""How the app is served: several servers behind one address."""
