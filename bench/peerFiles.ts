/** The files that configure the peers: products as records, or as fixed answers where a peer has no records. */
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { scratch } from './processes.ts'
import { productRecord, writeProducts } from './records.ts'

const ONE = productRecord(0)
const PAGE_OF_25 = Array.from({ length: 25 }, (_, index) => productRecord(index))

function written(name: string, content: object): string {
  const file = scratch(name)
  writeFileSync(file, JSON.stringify(content))
  return file
}

/** Writes the file of json-server, which changes it. */
export function jsonServerFile(products: number): string {
  const file = scratch('json-server.json')
  const out = openSync(file, 'w')
  writeSync(out, '{"products":')
  writeProducts(out, products)
  writeSync(out, '}')
  closeSync(out)
  return file
}

export function emulateFile(products: number, recordOf: (index: number) => object): string {
  const file = scratch(`emulate-${String(products)}.json`)
  const out = openSync(file, 'w')
  writeProducts(out, products, recordOf)
  closeSync(out)
  return file
}

/** Writes an OpenAPI document whose examples are Prism's answers. */
export function openapiFile(): string {
  const response = (description: string, example: object): object => ({
    description,
    content: { 'application/json': { schema: { type: typeOf(example) }, example } },
  })
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } }
  const page = { name: 'page', in: 'query', schema: { type: 'integer' } }
  const name = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } }
  return written('openapi.json', {
    openapi: '3.0.3',
    info: { title: 'Products', version: '1' },
    paths: {
      '/products': {
        get: { parameters: [page], responses: { 200: response('A page', PAGE_OF_25) } },
        post: {
          requestBody: { content: { 'application/json': { schema: name } } },
          responses: { 201: response('The product', ONE) },
        },
      },
      '/products/{id}': { get: { parameters: [id], responses: { 200: response('The product', ONE) } } },
    },
  })
}

const typeOf = (example: object): string => (Array.isArray(example) ? 'array' : 'object')

/** Writes a Mockoon environment with a data bucket and its CRUD route. */
export function mockoonFile(products: number): string {
  const uuid = (last: number): string => `00000000-0000-4000-8000-${String(last).padStart(12, '0')}`
  const records = Array.from({ length: products }, (_, index) => productRecord(index))
  const response = {
    ...{ uuid: uuid(4), body: '', latency: 0, statusCode: 200, label: '', headers: [], filePath: '' },
    ...{ bodyType: 'DATABUCKET', databucketID: 'prod', sendFileAsBody: false, rules: [], callbacks: [] },
    ...{ rulesOperator: 'OR', disableTemplating: true, fallbackTo404: false, default: true, crudKey: 'id' },
  }
  const route = {
    ...{ uuid: uuid(2), type: 'crud', documentation: '', method: '', endpoint: 'products' },
    ...{ responses: [response], responseMode: null, streamingMode: null, streamingInterval: 0 },
  }
  const bucket = { uuid: uuid(3), id: 'prod', name: 'Products', documentation: '' }
  return written(`mockoon-${String(products)}.json`, {
    ...{ uuid: uuid(1), lastMigration: 33, name: 'Products', endpointPrefix: '', latency: 0, port: 3000 },
    ...{ hostname: '127.0.0.1', folders: [], cors: false, headers: [], callbacks: [] },
    ...{
      proxyMode: false,
      proxyHost: '',
      proxyRemovePrefix: false,
      proxyReqHeaders: [],
      proxyResHeaders: [],
    },
    tlsOptions: {
      ...{ enabled: false, type: 'CERT', pfxPath: '', certPath: '', keyPath: '', caPath: '', passphrase: '' },
    },
    routes: [route],
    rootChildren: [{ type: 'route', uuid: route.uuid }],
    data: [{ ...bucket, value: JSON.stringify(records) }],
  })
}

/** Writes WireMock's stubs; returns its folder. */
export function wiremockFolder(): string {
  const folder = scratch('wiremock')
  const headers = { 'content-type': 'application/json' }
  const stub = (request: object, status: number, jsonBody: object): object => ({
    request,
    response: { status, headers, jsonBody },
  })
  const mappings = [
    stub({ method: 'GET', urlPath: '/products' }, 200, PAGE_OF_25),
    stub({ method: 'GET', urlPathPattern: '/products/[^/]+' }, 200, ONE),
    stub({ method: 'POST', urlPath: '/products' }, 201, ONE),
  ]
  mkdirSync(join(folder, 'mappings'), { recursive: true })
  written('wiremock/mappings/products.json', { mappings })
  return folder
}
