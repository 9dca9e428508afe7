"""What the service answers: the models that its API and its clients share."""
