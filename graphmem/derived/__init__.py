"""What is made of beliefs and turns in the background: summaries, reflections, settled conflicts."""
