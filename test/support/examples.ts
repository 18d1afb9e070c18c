/**
 * Calls that are taken, made from the published examples alone: the body is the example of the document, and a record
 * that the path names is made first by the operation that makes such records. Records that an example names by an id
 * of its own are there already (`NEIGHBOURS`).
 */
import { FORM_TYPE } from '../../src/http/multipart.ts'
import type { MountedRoute } from '../../src/http/mount.ts'
import type { OpenApiDocument } from '../../src/http/openapi.ts'
import type { Call, CallOptions, FreshApp } from './app.ts'
import { contractOf } from './contract.ts'
import { formOf } from './forms.ts'
import { PUBLISHED } from './published.ts'

/** One operation of one interface, as a row of a test's table. */
export interface Subject {
  /** "catalog GET /products" */
  readonly title: string
  readonly route: MountedRoute
  readonly document: OpenApiDocument
}

/** Every operation of the server, in order. */
export const everyOperation = (): Subject[] =>
  PUBLISHED.flatMap((published) => {
    const { document } = contractOf(published)
    return published.routes.map((route) => ({
      title: `${route.interface} ${route.method} ${route.path}`,
      route,
      document,
    }))
  })

/** Fields whose examples no document can know: they name a record of the very workspace that is spoken to. */
const OF_THIS_WORKSPACE: Readonly<Record<string, (fresh: FreshApp) => unknown>> = {
  ownerId: (fresh) => fresh.user.id,
  owner_id: (fresh) => fresh.user.id,
}

const made = { createdAt: '2026-01-01T09:00:00.000Z', updatedAt: '2026-01-01T09:00:00.000Z' }
const EXAMPLE = '4kQ2nC8vT1sYx0ZbRj7m'

/** What the examples of the CRM name, and what no operation makes. */
export const NEIGHBOURS = {
  crm: {
    contacts: [{ id: `con_${EXAMPLE}`, name: 'Ana Castillo', tags: [], customFields: {}, ...made }],
    pipelines: [{ id: `pipe_${EXAMPLE}`, name: 'Fleet sales', ...made }],
    stages: [
      {
        id: `stage_${EXAMPLE}`,
        pipelineId: `pipe_${EXAMPLE}`,
        name: 'Offer sent',
        probability: 60,
        position: 1,
      },
    ],
    deals: [
      {
        id: `deal_${EXAMPLE}`,
        name: 'Ten vans',
        contactId: `con_${EXAMPLE}`,
        pipelineId: `pipe_${EXAMPLE}`,
        stageId: `stage_${EXAMPLE}`,
        value: 1_000_000,
        currency: 'USD',
        customFields: {},
        stageEnteredAt: made.createdAt,
        ...made,
      },
    ],
    // Sets off something that waits for the clock.
    automations: [
      {
        id: `auto_${EXAMPLE}`,
        name: 'Ask how it goes',
        type: 'sequence',
        trigger: { event: 'deal.created', conditions: [] },
        actions: [{ type: 'create_task', config: { title: 'Call', delay_hours: 48 } }],
        ...made,
      },
    ],
  },
  payments: {
    links: [
      {
        id: `pl_${EXAMPLE}`,
        amount: 12500,
        currency: 'USD',
        paymentMethods: ['network_1'],
        metadata: {},
        createdAt: made.createdAt,
      },
    ],
    transactions: [
      {
        id: `txn_${EXAMPLE}`,
        linkId: `pl_${EXAMPLE}`,
        amount: 12500,
        currency: 'USD',
        status: 'completed',
        paymentMethod: 'network_1',
        cardLastFour: '4242',
        createdAt: made.createdAt,
        completedAt: made.createdAt,
      },
    ],
  },
  'integration-payments': {
    products: [
      {
        id: `prod_${EXAMPLE}`,
        productCode: 'setup-fee',
        name: 'Setup fee',
        paymentType: 'one_time',
        requiresSubscription: false,
        price: 4900,
        currency: 'USD',
        ...made,
      },
    ],
    links: [
      {
        id: `link_${EXAMPLE}`,
        hashUrl: EXAMPLE,
        linkType: 'customer_collection',
        customerName: 'Ana Castillo',
        currency: 'USD',
        isTest: false,
        requestCustomerEmail: true,
        expiresAt: '2036-01-01T09:00:00.000Z',
        ...made,
      },
    ],
  },
}

/** Records that people make outside the interface, by interface and path; `NEIGHBOURS` has them. */
const MADE_OUTSIDE: Readonly<Record<string, string>> = {
  'payments /transactions': `txn_${EXAMPLE}`,
  'integration-payments /v1/products': 'setup-fee',
  'integration-payments /v1/payment-links': EXAMPLE,
}

const furnished = new WeakSet<FreshApp>()

/** Says that the workspace holds the records that examples name, beside others that are to stay. */
export function isFurnished(fresh: FreshApp): void {
  furnished.add(fresh)
}

/** Puts the records there that examples name; once for each app. */
function furnish(fresh: FreshApp): void {
  if (furnished.has(fresh)) return
  furnished.add(fresh)
  fresh.app.records.load(fresh.workspace, NEIGHBOURS)
}

/** The published example of what the operation takes; undefined where it takes nothing. */
export function exampleBody(
  fresh: FreshApp,
  document: OpenApiDocument,
  method: string,
  path: string,
): Record<string, unknown> | undefined {
  const { requestBody } = document.paths[path]?.[method.toLowerCase()] ?? {}
  const content = requestBody?.['content'] as Content | undefined
  const example = content?.['application/json']?.example
  if (!example) return undefined
  const known = Object.entries(OF_THIS_WORKSPACE).filter(([field]) => field in example)
  return { ...example, ...Object.fromEntries(known.map(([field, value]) => [field, value(fresh)])) }
}

type Content = Readonly<Record<string, { readonly example: Record<string, unknown> }>>

/** Whether the operation takes a form instead of JSON. */
export function takesForm({ document, route: { method, path } }: Subject): boolean {
  const { requestBody } = document.paths[path]?.[method.toLowerCase()] ?? {}
  return FORM_TYPE in ((requestBody?.['content'] ?? {}) as Content)
}

/** A file that every import takes. */
const EXAMPLE_FILE = { filename: 'example.csv', content: 'name\nAna Castillo\n' }

/** "?pipeline_id=...": what the operation cannot do without, as the document shows it. */
export function requiredQuery({ document, route: { method, path } }: Subject): string {
  const { parameters = [] } = document.paths[path]?.[method.toLowerCase()] ?? {}
  const required = parameters.filter((each) => each['in'] === 'query' && each['required'] === true)
  const texts = required.map((each) => {
    const { examples } = each['schema'] as { examples: readonly string[] }
    return `${String(each['name'])}=${encodeURIComponent(examples[0] ?? '')}`
  })
  return texts.length === 0 ? '' : `?${texts.join('&')}`
}

/** The path with the id of a record that was just made in the place of each parameter. */
export async function pathOfNewRecord(fresh: FreshApp, subject: Subject): Promise<string> {
  const { route } = subject
  let template = ''
  let path = ''
  for (const segment of route.path.split('/').slice(1)) {
    path += segment.startsWith('{') ? `/${await newRecord(fresh, subject, template, path)}` : `/${segment}`
    template += `/${segment}`
  }
  return path
}

async function newRecord(
  fresh: FreshApp,
  { document, route }: Subject,
  template: string,
  path: string,
): Promise<string> {
  const there = MADE_OUTSIDE[`${route.interface} ${template}`]
  if (there !== undefined) return there
  const body = exampleBody(fresh, document, 'POST', template)
  const made = await fresh.at(route.interface)('POST', path, { body })
  const existing = (made.body as { error?: { existing_id?: string } } | undefined)?.error?.existing_id
  if (existing !== undefined) return existing
  if (made.status !== 201) throw new Error(`POST ${path} with its example answered ${made.text}`)
  const id = idIn(made.body)
  if (id === undefined) throw new Error(`POST ${path} answered without an id: ${made.text}`)
  return id
}

/** The id of a record, bare or in an envelope: {id}, {data: {id}}, {webhook: {id}, secret}. */
function idIn(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined
  const { id } = body as { id?: unknown }
  if (typeof id === 'string' || typeof id === 'number') return String(id)
  return Object.values(body)
    .map(idIn)
    .find((each) => each !== undefined)
}

export interface PreparedCall {
  readonly call: Call
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Relative to the interface's base path. */
  readonly path: string
  /** What the operation cannot do without: "?pipeline_id=..."; mostly empty. */
  readonly query: string
  readonly body: Record<string, unknown> | undefined
  /** The body, or the form, as the call takes it. */
  readonly sent: CallOptions
}

/** A call of the operation that is taken, ready to be made: `call(method, path + query, sent)`. */
export async function preparedCall(fresh: FreshApp, subject: Subject): Promise<PreparedCall> {
  const { route, document } = subject
  furnish(fresh)
  const body = exampleBody(fresh, document, route.method, route.path)
  return {
    call: fresh.at(route.interface),
    method: route.method as PreparedCall['method'],
    path: await pathOfNewRecord(fresh, subject),
    query: requiredQuery(subject),
    body,
    sent: takesForm(subject) ? formOf({ file: EXAMPLE_FILE }) : { body },
  }
}
