"""The calls, one module per noun."""

from graphmem.api.routes import (
    beliefs,
    claims,
    diff,
    entities,
    episodes,
    graph,
    groups,
    health,
    ontology,
    predicates,
    search,
)

ROUTERS = tuple(
    module.router
    for module in (health, groups, episodes, claims, predicates, ontology, entities, graph, diff, beliefs, search)
)
