"""The parts of the private transport page: its sidebar, its data, its views and the words around them."""
