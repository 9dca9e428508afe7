"""The calls, one module per noun."""

from graphmem.api.routes import (
    browser,
    claims,
    entities,
    episodes,
    facts,
    graph,
    groups,
    health,
    jobs,
    merges,
    policies,
    search,
    sessions,
)

ROUTERS = (
    health.router,
    groups.router,
    episodes.router,
    sessions.sessions_router,
    sessions.summaries_router,
    sessions.reflections_router,
    claims.router,
    policies.predicates_router,
    jobs.router,
    policies.ontology_router,
    policies.dates_router,
    entities.router,
    merges.router,
    policies.sources_router,
    graph.router,
    facts.router,
    search.router,
    browser.router,
)
