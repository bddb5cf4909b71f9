# Not built where the tests run (no container engine there): written with care, reported as untested.
FROM node:24-bookworm-slim AS build
WORKDIR /app
RUN apt-get update && apt-get install -y --no-install-recommends git ca-certificates && rm -rf /var/lib/apt/lists/*
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build && node tools/pack-server.mjs /tmp/package && npm pack /tmp/package --pack-destination /tmp

# The server package, installed as footnote up does: with its own lock and without scripts. The base image has Node 24.
FROM node:24-bookworm-slim AS install
WORKDIR /app
COPY --from=build /tmp/footnote-search-server-*.tgz /tmp/
RUN tar -xzf /tmp/footnote-search-server-*.tgz --strip-components=1 --no-same-owner \
  && npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
  && rm -rf node_modules/node-linux-* node_modules/.bin/node

FROM node:24-bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends git ca-certificates openssh-client tini \
  && rm -rf /var/lib/apt/lists/* && useradd --system --create-home --uid 10001 footnote \
  && mkdir /data && chown footnote:footnote /data
WORKDIR /app
COPY --from=install --chown=root:root /app ./
USER footnote
ENV HOST=0.0.0.0 PORT=8080 DATA_DIR=/data NODE_ENV=production
# As in tools/runtime-env.json; runtime-env.mjs says why.
ENV NODE_OPTIONS="--max-semi-space-size=16 --disable-warning=TimeoutNegativeWarning" \
  MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=32768 MALLOC_TRIM_THRESHOLD_=131072
VOLUME /data
EXPOSE 8080
ENTRYPOINT ["tini", "--", "node", "dist/apps/standalone/main.js"]
