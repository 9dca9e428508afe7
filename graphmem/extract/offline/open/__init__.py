"""Open claims: what any plain clause says, beside what the trained reader claims.

``clause`` finds the clauses and their words, ``status`` what each asserts, ``subjects`` whom it is about, and
``references`` what pronouns stand for. ``filters`` tells what is not worth keeping, ``clarity`` what nobody understands
by itself. ``statement`` makes a sentence in the third person, ``reader`` does all of that; ``possessions`` are what
“my …” presupposes. ``predicates`` names what a clause claims, ``claims`` puts the claim together, ``provider`` reads
an episode.
"""
