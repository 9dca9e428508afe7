"""Writing: what is said becomes durable, is read, and changes what is believed."""
