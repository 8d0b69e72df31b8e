"""Central mechanisms: a trusted curator sees everybody's points and publishes something about all of them."""
