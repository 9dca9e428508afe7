"""The words of graphmem as types. Pure: no clock, no driver, no await."""
