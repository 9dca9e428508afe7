"""What goes over HTTP: frozen models of requests and answers, and their conversion to and from the model."""
