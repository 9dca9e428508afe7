"""Lists of words, as the tables write them."""


def words(text: str) -> frozenset[str]:
    """The words between the blanks of a text."""
    return frozenset(text.split())
