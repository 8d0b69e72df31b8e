"""The parts of the home page: cards to the other pages and the guided tour."""
