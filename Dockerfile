# Not built where the tests run (no container engine there): written with care, reported as untested.
FROM node:24-bookworm-slim AS build
WORKDIR /app
RUN apt-get update && apt-get install -y --no-install-recommends git ca-certificates && rm -rf /var/lib/apt/lists/*
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build && npm prune --omit=dev

FROM node:24-bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends git ca-certificates openssh-client tini \
  && rm -rf /var/lib/apt/lists/* && useradd --system --create-home --uid 10001 footnote \
  && mkdir /data && chown footnote:footnote /data
WORKDIR /app
COPY --from=build --chown=root:root /app/package.json ./
COPY --from=build --chown=root:root /app/node_modules ./node_modules
COPY --from=build --chown=root:root /app/dist ./dist
USER footnote
ENV HOST=0.0.0.0 PORT=8080 DATA_DIR=/data NODE_ENV=production
# As in tools/runtime-env.json; runtime-env.mjs says why.
ENV NODE_OPTIONS="--max-semi-space-size=8 --disable-warning=TimeoutNegativeWarning" \
  MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=131072 MALLOC_TRIM_THRESHOLD_=131072
VOLUME /data
EXPOSE 8080
ENTRYPOINT ["tini", "--", "node", "dist/apps/standalone/main.js"]
