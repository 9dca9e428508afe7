"""The HTTP service: the only room that knows FastAPI, Starlette and uvicorn."""
