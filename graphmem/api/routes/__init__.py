"""The calls, one module per noun."""

from graphmem.api.routes import (
    beliefs,
    claims,
    context,
    diff,
    entities,
    episodes,
    extract,
    facts,
    graph,
    groups,
    health,
    jobs,
    merges,
    ontology,
    pairs,
    predicates,
    reviews,
    search,
    service_jobs,
    sessions,
    sources,
    stats,
)

ROUTERS = tuple(
    module.router
    for module in (
        health,
        groups,
        episodes,
        sessions,
        extract,
        claims,
        predicates,
        jobs,
        service_jobs,
        ontology,
        entities,
        merges,
        reviews,
        pairs,
        sources,
        graph,
        diff,
        beliefs,
        facts,
        search,
        context,
        stats,
    )
)
