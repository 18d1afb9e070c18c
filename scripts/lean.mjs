/**
 * What the build changes in packages because each start would pay for it. Each change names the text that it replaces,
 * and the build fails where a file does not have that text exactly once: a package that was brought up to date is to be
 * looked at anew.
 */
import { readFileSync } from 'node:fs'

const CHANGES = [
  // The router compiles up to three functions for each route, and for each method of each answer to an unknown path:
  // some thousand at a start. The engine compares as fast, and the rest is compiled when a route is first called.
  {
    file: 'find-my-way/lib/node.js',
    from: /const lines = \[\]\n[^]*?return new Function\('path', 'i'.*\n/,
    to: 'return (path, i) => path.startsWith(prefix, i)\n',
  },
  {
    file: 'find-my-way/lib/handler-storage.js',
    from: '_createParamsObject: this._compileCreateParamsObject(params)',
    to: `_createParamsObject: (...values) => {
        handlerObject._createParamsObject = this._compileCreateParamsObject(params)
        return handlerObject._createParamsObject(...values)
      }`,
  },
  {
    file: 'find-my-way/lib/handler-storage.js',
    from: 'this._compileGetHandlerMatchingConstraints(constrainer, constraints)\n',
    to: `this._getHandlerMatchingConstraints = (derived) => {
        this._compileGetHandlerMatchingConstraints(constrainer, constraints)
        return this._getHandlerMatchingConstraints(derived)
      }\n`,
  },
  // TLS and HTTP/2, for servers that speak them.
  {
    file: 'fastify/lib/server.js',
    from: "const https = require('node:https')\nconst http2 = require('node:http2')\n",
    to: '',
  },
  {
    file: 'fastify/lib/server.js',
    from: 'http2.createSecureServer(httpsOptions, httpHandler) : http2.createServer',
    to: "require('node:http2').createSecureServer(httpsOptions, httpHandler) : require('node:http2').createServer",
  },
  {
    file: 'fastify/lib/server.js',
    from: '? https.createServer(httpsOptions',
    to: "? require('node:https').createServer(httpsOptions",
  },
  // Of all that it knows of versions, one function is used for a version that is none of a candidate's.
  {
    file: 'fastify/lib/plugin-utils.js',
    from: "const semver = require('semver')",
    to: `const semver = {
      satisfies: require('semver/functions/satisfies'),
      gt: (...versions) => require('semver/functions/gt')(...versions),
      coerce: (version) => require('semver/functions/coerce')(version),
    }`,
  },
  // Addresses of version 6 are taken apart when one calls.
  {
    file: '@fastify/rate-limit/index.js',
    from: "const { Address6 } = require('ip-address')\n",
    to: '',
  },
  {
    file: '@fastify/rate-limit/index.js',
    from: 'const address = new Address6(ip)',
    to: "const { Address6 } = require('ip-address')\n  const address = new Address6(ip)",
  },
  // Logging from another thread.
  {
    file: 'pino/lib/tools.js',
    from: "const { isMainThread } = require('worker_threads')\nconst transport = require('./transport')\n",
    to: "const transport = (options) => require('./transport')(options)\n",
  },
  {
    file: 'pino/lib/tools.js',
    from: '!opts.sync && isMainThread',
    to: "!opts.sync && require('worker_threads').isMainThread",
  },
  {
    file: 'pino/pino.js',
    from: "module.exports.transport = require('./lib/transport')",
    to: "module.exports.transport = (options) => require('./lib/transport')(options)",
  },
]

/** A plugin of esbuild. */
export const lean = {
  name: 'lean',
  setup(build) {
    for (const file of new Set(CHANGES.map((change) => change.file))) {
      // A dot stands for the separators of any system.
      const filter = new RegExp(`node_modules.${file.replaceAll(/[./]/g, '.')}$`)
      build.onLoad({ filter }, ({ path }) => ({ contents: changed(path, file), loader: 'js' }))
    }
  },
}

function changed(path, file) {
  return CHANGES.filter((change) => change.file === file).reduce(
    (text, { from, to }) => {
      const parts = text.split(from)
      if (parts.length !== 2) throw new Error(`${path} no longer has what the build changes: ${String(from)}`)
      return parts.join(to)
    },
    readFileSync(path, 'utf8'),
  )
}
