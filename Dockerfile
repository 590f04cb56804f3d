# syntax=docker/dockerfile:1
FROM python:3.13-slim-bookworm AS build

WORKDIR /src
COPY docker/runtime.lock docker/vectors.lock docker/traces.lock docker/
# With another one the image has an extra: `docker compose build --build-arg LIBRARIES=docker/traces.lock`.
ARG LIBRARIES=docker/runtime.lock
RUN python -m venv /opt/memwiki \
    && /opt/memwiki/bin/python -m pip install --no-cache-dir --require-hashes -r "$LIBRARIES" \
    && python -m venv /opt/build \
    && /opt/build/bin/python -m pip install --no-cache-dir "hatchling>=1.33"
COPY pyproject.toml README.md LICENSE ./
COPY app app
COPY hooks hooks
COPY migrations migrations
RUN /opt/build/bin/python -m hatchling build -t wheel -d /src/dist \
    && /opt/memwiki/bin/python -m pip install --no-cache-dir --no-deps /src/dist/*.whl

FROM python:3.13-slim-bookworm

# Git comes with the base image's release, whose corrections of it are wanted.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends git \
    && rm -rf /var/lib/apt/lists/* \
    && groupadd --system --gid 10001 memwiki \
    && useradd --system --uid 10001 --gid 10001 --home-dir /data --shell /usr/sbin/nologin memwiki \
    && install --directory --owner=memwiki --group=memwiki --mode=0700 /data
COPY --from=build /opt/memwiki /opt/memwiki
COPY --chmod=0755 docker/entrypoint.sh /usr/local/bin/memwiki-entrypoint
COPY docker/healthcheck.py /usr/local/lib/memwiki-healthcheck.py

ENV PATH=/opt/memwiki/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    MEMWIKI_DATA_DIR=/data \
    MEMWIKI_HOST=0.0.0.0 \
    MEMWIKI_PORT=7470
# By number, so that an engine can see that it is not root.
USER 10001:10001
VOLUME /data
EXPOSE 7470
HEALTHCHECK --interval=30s --timeout=3s --start-period=10s --retries=3 \
    CMD ["python", "-I", "/usr/local/lib/memwiki-healthcheck.py"]
ENTRYPOINT ["memwiki-entrypoint"]
CMD ["serve"]
