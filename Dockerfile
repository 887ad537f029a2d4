FROM golang:1.26-bookworm AS build
WORKDIR /src
COPY . .
# What fiscube --version says, since there is no checkout here: make docker gives them.
ARG VERSION COMMIT TIME
# DuckDB needs cgo; the C++ compiler is in this image. The caches outlive a change of the source.
RUN --mount=type=cache,target=/go/pkg/mod \
    --mount=type=cache,target=/root/.cache/go-build \
    CGO_ENABLED=1 go build -trimpath -o /fiscube -ldflags "-s -w -X fiscube/internal/version.release=$VERSION \
    -X fiscube/internal/version.commit=$COMMIT -X fiscube/internal/version.moment=$TIME" .

FROM debian:bookworm-slim
# DuckDB is linked against libstdc++; packages by URL need the certificates.
RUN apt-get update \
 && apt-get install -y --no-install-recommends ca-certificates libstdc++6 \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --uid 10001 --user-group --home-dir /data --no-create-home --shell /usr/sbin/nologin fiscube \
 && install -d -o fiscube -g fiscube /data
COPY --from=build /fiscube /usr/local/bin/fiscube
USER fiscube
WORKDIR /data
VOLUME /data
# By a variable, not a flag, so that the health check knows the address too.
ENV FISCUBE_DB=duckdb:/data/fiscube.duckdb FISCUBE_ADDR=:8080
EXPOSE 8080
# Ready, not only running: while the database is away the container is unhealthy, and goes on as it comes back.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["fiscube", "healthcheck"]
ENTRYPOINT ["fiscube"]
CMD ["serve"]
