# Three stages: the bundle, the one native module, and an image that holds nothing else.

# The full image brings the compiler that the native module needs where no ready-made binary can be had.
FROM node:24-bookworm AS build
WORKDIR /app
COPY package.json package-lock.json ./
# What builds the package as it is installed; there is nothing to build yet.
COPY scripts/prepare.mjs ./scripts/prepare.mjs
RUN npm ci
COPY scripts ./scripts
COPY fixtures ./fixtures
COPY src ./src
RUN npm run build

FROM node:24-bookworm AS production
WORKDIR /app
COPY package.json package-lock.json ./
COPY scripts/prepare.mjs ./scripts/prepare.mjs
RUN npm ci --omit=dev && mkdir /data

FROM node:24-bookworm-slim
LABEL org.opencontainers.image.title="Suite Simulator"
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4012 SIM_DB=/data/suite.sqlite
WORKDIR /app
COPY --from=production /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY fixtures ./fixtures
COPY package.json ./
RUN ln -s /app/dist/main.js /usr/local/bin/suite-sim
COPY --from=production --chown=node:node /data /data
USER node
VOLUME /data
EXPOSE 4012
HEALTHCHECK --interval=10s --timeout=6s --start-period=10s --start-interval=1s CMD ["suite-sim", "healthcheck"]
# The exec form, so that SIGTERM reaches the server itself and it can stop in good order.
CMD ["node", "/app/dist/main.js", "serve"]
