# Two stages: the bundle with the one native module, and an image that holds nothing else.

# Both images of one version, so that the module is compiled for the Node and the system that it runs on. To pin a digest as
# well: --build-arg NODE=24.11.1-bookworm@sha256:... and RUNTIME=24.11.1-bookworm-slim@sha256:...
ARG NODE=24.11.1-bookworm
ARG RUNTIME=24.11.1-bookworm-slim

# The full image brings the compiler that the native module needs where no ready-made binary can be had.
FROM node:${NODE} AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY packages/kit/package.json packages/kit/
COPY packages/client/package.json packages/client/
COPY packages/cli/package.json packages/cli/
COPY packages/dashboard/package.json packages/dashboard/
COPY packages/library/package.json packages/library/
COPY packages/verify/package.json packages/verify/
# What builds the package as it is installed; there is nothing to build yet.
COPY scripts/prepare.mjs ./scripts/prepare.mjs
# SQLite is compiled here, once for as long as the lock file stays as it is.
RUN --mount=type=cache,target=/root/.npm npm ci
# Decides what the bundler writes.
COPY tsconfig.json ./
COPY scripts ./scripts
COPY fixtures ./fixtures
COPY tasks ./tasks
COPY docs ./docs
COPY src ./src
COPY packages ./packages
# The context has no git repository. docker build --build-arg SOURCE_REVISION=$(git rev-parse HEAD)
# --build-arg SOURCE_DATE=$(git log -1 --format=%cI) names the commit and its time, for /_sim/health and the labels.
ARG SOURCE_REVISION= SOURCE_DATE=
RUN SOURCE_DATE_EPOCH=${SOURCE_DATE:+$(date -d "$SOURCE_DATE" +%s)} npm run build && npm run docs:build
# The software bill of materials, of what the bundle contains.
RUN npm run sbom -- sbom.cdx.json
# Of the native module what is loaded, without its sources; `bindings` finds it.
RUN mkdir -p /shipped/better-sqlite3/build/Release \
  && cd node_modules \
  && cp -r bindings file-uri-to-path /shipped/ \
  && cp -r better-sqlite3/package.json better-sqlite3/LICENSE better-sqlite3/lib /shipped/better-sqlite3/ \
  && cp better-sqlite3/build/Release/better_sqlite3.node /shipped/better-sqlite3/build/Release/

FROM node:${RUNTIME}
ARG SOURCE_REVISION= SOURCE_DATE=
LABEL org.opencontainers.image.title="Suite Simulator"
LABEL org.opencontainers.image.revision="${SOURCE_REVISION}" org.opencontainers.image.created="${SOURCE_DATE}"
LABEL org.opencontainers.image.description="A server that simulates the HTTP/JSON interfaces of a business software suite." \
  org.opencontainers.image.version="0.2.0" \
  org.opencontainers.image.licenses="LicenseRef-UNLICENSED"
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4012 SIM_DB=/data/suite.sqlite
# Nothing is installed at run time.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack \
  /usr/local/bin/yarn /usr/local/bin/yarnpkg /opt/yarn-*
WORKDIR /app
COPY --from=build /shipped ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /app/sbom.cdx.json ./
COPY fixtures ./fixtures
COPY tasks ./tasks
COPY package.json ./
COPY scripts/healthcheck.sh /usr/local/bin/healthcheck
RUN ln -s /app/dist/main.js /usr/local/bin/suite-sim
# A volume that is mounted here begins with this owner. None is declared: with SIM_DB=:memory: nothing is kept.
# Its group is 0 and may write, because OpenShift runs containers with any user of group 0. Made here, because some builders
# copy folders with the modes that their umask leaves.
RUN install -d -o 1000 -g 0 -m 0770 /data
# Snapshots and calls for a new database can be mounted at /init, with SIM_INIT=/init.
# By number, so that it can be checked that it is not root.
USER 1000:1000
EXPOSE 4012
# Without --start-interval, which Docker 24, Podman 4 and buildah 1.28 don't know.
HEALTHCHECK --interval=10s --timeout=6s --start-period=10s CMD ["bash", "/usr/local/bin/healthcheck"]
# The exec form, so that SIGTERM reaches the server itself and it can stop in good order.
CMD ["node", "/app/dist/main.js", "serve"]
