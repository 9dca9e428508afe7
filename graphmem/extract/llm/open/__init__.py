"""Open claims of models: those whose predicate neither the ontology nor graphmem knows, and those that assert nothing.

``folds`` names what is claimed, ``statuses`` tells what is asserted, ``chatter`` what is not worth keeping, and
``claims`` puts the claim together.
"""
