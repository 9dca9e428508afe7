# One image for the API and the workers. The build fails unless every package has its pinned checksum.
FROM python:3.11.16-slim@sha256:9c900dea9e8fb7e16277c179b555cc72d29a352dbc33cff48ad5a0412fd5bfc7 AS build
RUN python -m venv /opt/graphmem
ENV PATH=/opt/graphmem/bin:$PATH PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
WORKDIR /src
COPY requirements/run.txt requirements/
RUN pip install --require-hashes --no-deps -r requirements/run.txt
COPY . .
RUN pip install --no-build-isolation --no-deps .

FROM python:3.11.16-slim@sha256:9c900dea9e8fb7e16277c179b555cc72d29a352dbc33cff48ad5a0412fd5bfc7
RUN useradd --system --create-home --uid 10464 graphmem
COPY --from=build /opt/graphmem /opt/graphmem
# PYTHONSAFEPATH: what lies in the working directory is not imported.
ENV PATH=/opt/graphmem/bin:$PATH PYTHONSAFEPATH=1 PYTHONUNBUFFERED=1 HF_HUB_OFFLINE=1
USER graphmem
WORKDIR /home/graphmem
EXPOSE 8464
CMD ["python", "-m", "graphmem.api"]
