"""The one way to change the graph: evidence changes, the slots it touches are projected, the difference is written."""
