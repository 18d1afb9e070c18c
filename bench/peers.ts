/** The peers: programs that simulate or mock HTTP interfaces, each configured for products in the simplest way. */
import { join } from 'node:path'
import { form, request } from './load.ts'
import { emulateFile, jsonServerFile, mockoonFile, openapiFile, wiremockFolder } from './peerFiles.ts'
import { BINARY, BUNDLES } from './processes.ts'
import { KEY, newProduct, productId, productRecord, WORKSPACE } from './records.ts'
import { pagesAnywhere, withoutNeighbors } from './scenarios/reads.ts'
import { fixtureFile, PRODUCTS } from './simulator.ts'

/** A program and its requests for products. */
export interface Program {
  readonly isJava?: boolean
  /** Returns the arguments of a process that listens on this port of 127.0.0.1. */
  readonly command: (installed: string, port: number, products: number) => readonly string[]
  /** Returns the requests that add the products after the start; without, `command` loads them. */
  readonly fill?: (products: number) => string[]
  readonly one: (index: number) => string
  readonly firstPage: string
  /** Returns the requests of all pages, in an order without neighbors. */
  readonly pages: (products: number, url: string) => string[] | Promise<string[]>
  readonly create: (index: number) => string
}

export interface Peer extends Program {
  readonly name: string
  /** Its package in the npm registry, and the version whose command and files are used here. */
  readonly package: string
  readonly version: string
  /** What it can't do. */
  readonly lacks: string
}

const PAGE = 25
const LIBRARY = join(BUNDLES, 'library-peer.mjs')

export const SIMULATOR: Program = {
  command: (_installed, port, products) => [
    ...[BINARY, '--port', String(port), '--db', ':memory:'],
    ...['--fixtures', fixtureFile(products)],
  ],
  one: (index) => request('GET', `${PRODUCTS}/${productId(index)}`),
  firstPage: request('GET', PRODUCTS),
  pages: (_products, url) => pagesAnywhere(url),
  create: (index) => request('POST', PRODUCTS, newProduct(index)),
}

/** A start without records, with a workspace that a test creates. */
export const SIMULATOR_WITH_WORKSPACE: Program = {
  ...SIMULATOR,
  command: (_installed, port) => [
    ...[BINARY, '--port', String(port), '--db', ':memory:', '--fixtures', 'none'],
  ],
  fill: () => [
    request('POST', '/_sim/workspaces', { id: WORKSPACE, key: KEY }),
    request('POST', PRODUCTS, newProduct(0)),
  ],
}

/** A start with the demo, whose key differs. */
export const SIMULATOR_WITH_DEMO: Program = {
  ...SIMULATOR,
  command: (_installed, port) => [BINARY, '--port', String(port), '--db', ':memory:'],
  firstPage: request('GET', PRODUCTS, undefined, 'authorization: Bearer demo-key'),
}

type Requests = Pick<Program, 'one' | 'firstPage' | 'pages' | 'create'>

const numbersOfPages = (products: number): number[] =>
  withoutNeighbors(Array.from({ length: Math.ceil(products / PAGE) }, (_, number) => number))

/** Returns the requests of a peer that has the same records as the simulator. */
const sameRecords = (query: (page: number) => string): Requests => ({
  one: (index) => request('GET', `/products/${productId(index)}`),
  firstPage: request('GET', `/products?${query(0)}`),
  pages: (products) => numbersOfPages(products).map((number) => request('GET', `/products?${query(number)}`)),
  create: (index) => request('POST', '/products', newProduct(index)),
})

const stripeProduct = (index: number): Readonly<Record<string, string>> => ({
  name: `Product ${String(index)}`,
  description: 'Electric, 140 x 70 cm, memory for four heights.',
})

/** Returns the requests of a peer that has Stripe's products, newest first. */
function stripe(key: (index: number) => string, create: Program['create']): Requests {
  const list = `/v1/products?limit=${String(PAGE)}`
  return {
    one: (index) => request('GET', `/v1/products/${productId(index)}`, undefined, key(index)),
    firstPage: request('GET', list, undefined, key(0)),
    pages: (products) =>
      numbersOfPages(products).map((number) => {
        const after = number === 0 ? '' : `&starting_after=${productId(products - number * PAGE)}`
        return request('GET', list + after, undefined, key(number))
      }),
    create,
  }
}

/** emulate takes 5,000 requests an hour from each key. */
const ownKey = (index: number): string => `authorization: Bearer sk_test_${String(index)}`
const oneKey = (): string => ownKey(0)

export const PEERS: readonly Peer[] = [
  {
    name: 'emulate',
    package: 'emulate',
    version: '0.12.2',
    lacks: 'no clock, no file',
    command: (installed, port, products) => {
      const file = emulateFile(products, (index) => ({ id: productId(index), ...stripeProduct(index) }))
      return [LIBRARY, join(installed, 'dist/api.js'), String(port), file]
    },
    ...stripe(ownKey, (index) => request('POST', '/v1/products', stripeProduct(index), ownKey(index))),
  },
  {
    name: 'json-server',
    package: 'json-server',
    version: '0.17.4',
    lacks: 'no rules, no webhooks, no clock',
    command: (installed, port, products) => [
      ...[join(installed, 'lib/cli/bin.js'), '--host', '127.0.0.1', '--port', String(port), '--quiet'],
      jsonServerFile(products),
    ],
    ...sameRecords((page) => `_page=${String(page + 1)}&_limit=${String(PAGE)}`),
  },
  {
    name: 'Prism',
    package: '@stoplight/prism-cli',
    version: '5.16.0',
    lacks: 'fixed answers: no state, no webhooks, no clock',
    command: (installed, port) => [
      ...[join(installed, 'dist/index.js'), 'mock', '--host', '127.0.0.1', '--port', String(port)],
      ...['--verboseLevel', 'error', openapiFile()],
    ],
    ...sameRecords((page) => `page=${String(page + 1)}`),
  },
  {
    name: 'Mockoon',
    package: '@mockoon/cli',
    version: '9.9.0',
    lacks: 'no rules, no clock, no file',
    command: (installed, port, products) => [
      ...[join(installed, 'bin/run.js'), 'start', '--hostname', '127.0.0.1', '--port', String(port)],
      ...['--disable-log-to-file', '--data', mockoonFile(products)],
    ],
    ...sameRecords((page) => `page=${String(page + 1)}&limit=${String(PAGE)}`),
  },
  {
    name: 'stripe-stateful-mock',
    package: 'stripe-stateful-mock',
    version: '0.0.16',
    lacks: 'no webhooks, no clock, no file',
    command: (installed, port) => [LIBRARY, join(installed, 'dist/index.js'), String(port)],
    fill: (products) =>
      Array.from({ length: products }, (_, index) =>
        form('/v1/products', { id: productId(index), ...stripeProduct(index) }, oneKey()),
      ),
    ...stripe(oneKey, (index) => form('/v1/products', stripeProduct(index), oneKey())),
  },
  {
    name: 'WireMock',
    package: 'wiremock',
    version: '3.13.2',
    isJava: true,
    lacks: 'fixed answers: no records, no clock; webhooks by stub',
    command: (installed, port) => [
      ...['-jar', join(installed, 'build/wiremock-standalone-3.13.2.jar')],
      ...['--bind-address', '127.0.0.1', '--port', String(port), '--root-dir', wiremockFolder()],
      ...['--no-request-journal', '--disable-banner'],
    ],
    ...sameRecords((page) => `page=${String(page + 1)}`),
  },
  {
    name: 'MockServer',
    package: 'mockserver-node',
    version: '8.0.0',
    isJava: true,
    lacks: 'no rules, no clock, no file, creates up to 10,000; webhooks by expectation',
    command: (installed, port) => [
      ...['-Dmockserver.localBoundIP=127.0.0.1', '-Dmockserver.maxRequestBodySize=100000000', '-jar'],
      join(installed, 'mockserver-netty-8.0.0-jar-with-dependencies.jar'),
      ...['run', '--port', String(port), '--log-level', 'ERROR'],
    ],
    fill: (products) => [
      request('PUT', '/mockserver/crud', {
        basePath: '/products',
        idField: 'id',
        initialData: Array.from({ length: products }, (_, index) => productRecord(index)),
      }),
    ],
    ...sameRecords((page) => `page=${String(page)}&size=${String(PAGE)}`),
  },
]
