"""Open claims: what any plain clause says, beside the predicates that the tables of patterns know.

``clause`` finds the clauses and their words, ``status`` what each asserts, ``subjects`` whom it is about, ``filters``
what is not worth keeping, ``statement`` its sentence in the third person, ``reader`` all of that; ``predicates`` names
what it claims, ``claims`` puts the claim together.
"""
