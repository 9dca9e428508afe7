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
    jobs,
    ontology,
    predicates,
    search,
    service_jobs,
)

ROUTERS = tuple(
    module.router
    for module in (
        health,
        groups,
        episodes,
        claims,
        predicates,
        jobs,
        service_jobs,
        ontology,
        entities,
        graph,
        diff,
        beliefs,
        search,
    )
)
