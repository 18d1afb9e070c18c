/**
 * The webhook operations of an interface. They behave the same in each interface, so `offeredWebhooks` takes only what
 * differs: which operations exist, what is published about them, and the names and wrappers of the JSON.
 */
import { Type, type TProperties, type TSchema } from '@sinclair/typebox'
import type { FastifyContextConfig } from 'fastify'
import type { Resource } from '../http/definition/definition.ts'
import { NO_CONTENT, checkFirst, noContent, operation, type Operation } from '../http/definition/operation.ts'
import { unpaged } from '../http/definition/paging.ts'
import { pageOf, type PageFacts } from '../http/lists/pages.ts'
import { Assumed, assumedValues, documentedLimits, Instant, named, OneOf } from '../http/schemas/schemas.ts'
import { pageMeta, PageOf, pageQuery } from '../http/schemas/wireShapes.ts'
import { iso } from '@suite-sim/kit/time/instants'
import type { InterfaceName } from '@suite-sim/kit/interfaceNames'
import { refuse, refuseField } from '../state/model/refusal.ts'
import { MAX_URL_LENGTH } from '@suite-sim/kit/text/parseUrl'
import type { Workspace } from '../state/workspace/workspace.ts'
import type { NewSubscription } from '../webhooks/subscriptions/subscribing.ts'
import {
  eventNames,
  findSubscription,
  listSubscriptions,
  type Subscription,
} from '../webhooks/subscriptions/subscriptions.ts'

type Published = Pick<Operation, 'description' | 'fidelity' | 'assumedStatus' | 'scope'> & {
  /** Why the whole response is assumed; the specification shows the others. */
  readonly assumedResponse?: string
}

type WebhookOperation =
  | (Published & { readonly does: 'create' | 'get' | 'delete' })
  | (Published & {
      readonly does: 'list'
      /** The pages of the interface if they differ from those of `wireShapes.ts`. */
      readonly pages?: {
        readonly query: typeof pageQuery
        readonly PageOf: (schema: TSchema) => TSchema
        readonly meta: (facts: PageFacts) => object
      }
    })
  | (Published & { readonly does: 'listAll'; readonly whyUnpaged: string })
  | (Published & {
      readonly does: 'update'
      readonly method: 'PATCH' | 'PUT'
      /** The names of the fields that can change. */
      readonly fields: readonly string[]
      /** The description of the request body. */
      readonly body: string
    })

interface WebhookOffer {
  readonly interface: InterfaceName
  /** The names of the events that webhooks can subscribe to. */
  readonly events: readonly string[]
  /** Published examples. The id is one of the demo workspace, so that the examples work unchanged. */
  readonly examples: { readonly id: string; readonly url: string; readonly events: readonly string[] }
  /**
   * The event names that are assumed, and why the fields of the response are; missing if the specification shows the
   * response and the rules of the request: HTTPS, at least one event, at least one field of an update.
   */
  readonly assumed?: {
    readonly events?: { readonly why: string; readonly names: readonly string[] }
    readonly webhook: string
  }
  /** The optional fields of a new webhook. Without `secret`, the server generates every secret. */
  readonly optional: readonly ('secret' | 'active')[]
  /** Names that differ from the default. */
  readonly names?: Partial<Names>
  /** In the order of the specification. */
  readonly operations: readonly WebhookOperation[]
}

/** Names on the wire; null means that the response has no such field or wrapper. */
interface Names {
  /** The path parameter. */
  readonly id: string
  readonly active: string
  readonly createdAt: string
  readonly updatedAt: string | null
  /** The wrapper of one webhook, and of a list without pages. */
  readonly one: string | null
  readonly all: string
}

const NAMES: Names = {
  id: 'webhook_id',
  active: 'active',
  createdAt: 'created_at',
  updatedAt: null,
  one: null,
  all: 'data',
}

const OPERATIONS = {
  create: { id: 'createWebhook', summary: 'Subscribe to events' },
  list: { id: 'listWebhooks', summary: 'List webhooks' },
  listAll: { id: 'listWebhooks', summary: 'List webhooks' },
  get: { id: 'getWebhook', summary: 'Get a webhook' },
  update: { id: 'updateWebhook', summary: 'Update a webhook' },
  delete: { id: 'deleteWebhook', summary: 'Delete a webhook' },
} as const

type Fields = Readonly<Record<string, unknown>>
type Params = Readonly<Record<string, string>>

/** Returns the routes of an interface's webhooks. */
export const offeredWebhooks =
  (offer: WebhookOffer): Resource =>
  async (app) => {
    const { interface: of, events } = offer
    const names = { ...NAMES, ...offer.names }
    const { Webhook, One, Created, Create, updateOf, Params } = schemasOf(offer, names)
    const path = `/webhooks/:${names.id}`

    const view = (subscription: Subscription): Fields => ({
      id: subscription.id,
      url: subscription.url,
      events: eventNames(subscription, events),
      [names.active]: subscription.active,
      [names.createdAt]: iso(subscription.createdAt),
      ...(names.updatedAt !== null && { [names.updatedAt]: iso(subscription.updatedAt) }),
    })
    const one = (webhook: Fields): Fields => (names.one === null ? webhook : { [names.one]: webhook })

    /** Returns the webhook that the path names, or throws a refusal; webhooks of other interfaces are not found. */
    const find = (workspace: Workspace, params: Params): Subscription => {
      const id = params[names.id] ?? ''
      return findSubscription(workspace, id, of) ?? refuse('not_found', `There is no webhook ${id}.`)
    }

    const add = (route: WebhookOperation): void => {
      switch (route.does) {
        case 'create':
          app.post(
            '/webhooks',
            { schema: { body: Create }, config: configOf(route, { 201: Created }) },
            ({ body, workspace }, reply) => {
              const subscription = app.subscriptions.create(workspace, { ...body, interface: of })
              const { secret } = subscription
              reply.code(201)
              if (!offer.optional.includes('secret')) return { ...one(view(subscription)), secret }
              return one({ ...view(subscription), ...(body.secret === undefined && { secret }) })
            },
          )
          break
        case 'list': {
          const pages = route.pages ?? { query: pageQuery, PageOf, meta: pageMeta }
          app.get(
            '/webhooks',
            {
              schema: { querystring: Type.Object(pages.query) },
              config: configOf(route, { 200: pages.PageOf(Webhook) }),
            },
            ({ query: { page, per_page: perPage }, workspace }) => {
              const { items, facts } = pageOf(listSubscriptions(workspace, of), page, perPage)
              return { data: items.map(view), meta: pages.meta(facts) }
            },
          )
          break
        }
        case 'listAll': {
          const answers = { 200: Type.Object({ [names.all]: Type.Array(Webhook) }) }
          app.get(
            '/webhooks',
            { config: configOf(route, answers, { paging: unpaged(route.whyUnpaged) }) },
            ({ workspace }) => ({ [names.all]: listSubscriptions(workspace, of).map(view) }),
          )
          break
        }
        case 'get':
          app.get(
            path,
            { schema: { params: Params }, config: configOf(route, { 200: One }) },
            ({ params, workspace }) => one(view(find(workspace, params))),
          )
          break
        case 'update': {
          const rule = `must have at least one of ${route.fields.slice(0, -1).join(', ')} and ${String(route.fields.at(-1))}`
          app.route({
            method: route.method,
            url: path,
            // Refuses an unknown webhook before an invalid body.
            preValidation: checkFirst<Params>(({ workspace }, params) => find(workspace, params)),
            schema: { params: Params, body: updateOf(route.fields, rule, route.body) },
            config: configOf(route, { 200: One }),
            handler: ({ params, body, workspace }) => {
              // The schema accepts a body with only unknown fields. They are ignored, so no field remains.
              if (Object.keys(body).length === 0) refuseField('', 'too_few', `the body ${rule}`)
              const { [names.active]: active, ...fields } = body
              const changes = { ...fields, ...(typeof active === 'boolean' && { active }) }
              return one(view(app.subscriptions.update(workspace, find(workspace, params), changes)))
            },
          })
          break
        }
        case 'delete':
          app.delete(
            path,
            { schema: { params: Params }, config: configOf(route, NO_CONTENT) },
            ({ params, workspace }, reply) => {
              app.subscriptions.remove(workspace, find(workspace, params))
              noContent(reply)
            },
          )
      }
    }
    for (const route of offer.operations) add(route)
  }

const configOf = (
  { does, fidelity, description, scope, assumedStatus, assumedResponse }: WebhookOperation,
  answers: Operation['answers'],
  more: Pick<Operation, 'paging'> = {},
): FastifyContextConfig =>
  operation({
    ...OPERATIONS[does],
    tag: 'Webhooks',
    fidelity,
    ...(description !== undefined && { description }),
    ...(scope !== undefined && { scope }),
    ...(assumedStatus !== undefined && { assumedStatus }),
    answers:
      assumedResponse === undefined
        ? answers
        : Object.fromEntries(
            Object.entries(answers).map(([status, schema]) => [
              status,
              schema && Assumed(assumedResponse, schema),
            ]),
          ),
    ...more,
  })

const OTHER_URLS =
  'plain http for loopback hosts and those that --webhook-http-hosts names; never this server itself'

/** Returns the schemas of the requests and responses. */
function schemasOf({ events: eventNames, examples, assumed, optional }: WebhookOffer, names: Names) {
  const label = (why: string | undefined, schema: TSchema): TSchema =>
    why === undefined ? schema : Assumed(why, schema)
  const namesLabel = assumed?.events && assumedValues(assumed.events.why, ...assumed.events.names)
  const id = Type.String({ description: 'Unique identifier (cuid2).', examples: [examples.id] })
  const url = Type.String({
    format: 'uri',
    maxLength: MAX_URL_LENGTH,
    description: assumed ? `HTTPS; ${OTHER_URLS} (assumed).` : `HTTPS. Assumed: also ${OTHER_URLS}.`,
    examples: [examples.url],
  })
  const events = Type.Array(OneOf(eventNames, namesLabel), {
    minItems: 1,
    ...(!assumed && documentedLimits('minItems')),
    description: 'Duplicate names count once.',
    examples: [[...examples.events]],
  })
  const active = Type.Boolean({
    description: `An inactive webhook receives nothing.${optional.includes('active') ? ' Defaults to true.' : ''}`,
  })
  const fields: TProperties = { url, events, [names.active]: active }
  const webhook = {
    id,
    ...fields,
    [names.createdAt]: Instant(),
    ...(names.updatedAt !== null && { [names.updatedAt]: Instant() }),
  }
  const shape = (name: string, properties: TProperties): TSchema =>
    named(name, label(assumed?.webhook, Type.Object(properties)))
  const one = (schema: TSchema, beside: TProperties = {}): TSchema =>
    names.one === null ? schema : Type.Object({ [names.one]: schema, ...beside })
  const Webhook = shape('Webhook', webhook)
  return {
    Webhook,
    One: one(Webhook),
    Created: optional.includes('secret')
      ? one(shape('CreatedWebhook', { ...webhook, secret: ShownSecret }))
      : one(Webhook, { secret: GeneratedSecret }),
    Create: named(
      'WebhookCreate',
      Type.Unsafe<Omit<NewSubscription, 'interface'>>(
        Type.Object({
          url,
          events,
          ...(optional.includes('secret') && { secret: SentSecret }),
          ...(optional.includes('active') && { active: Type.Optional(active) }),
        }),
      ),
    ),
    updateOf: (sent: readonly string[], rule: string, description: string) => {
      const changeable = Object.fromEntries(Object.entries(fields).filter(([name]) => sent.includes(name)))
      const options = {
        minProperties: 1,
        ...(!assumed && documentedLimits('minProperties')),
        'x-wording': rule,
        description,
      }
      return named('WebhookUpdate', Type.Unsafe<Fields>(Type.Partial(Type.Object(changeable), options)))
    },
    Params: Type.Unsafe<Params>(Type.Object({ [names.id]: id })),
  }
}

/** A secret that the caller may choose. */
const SentSecret = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 200,
    writeOnly: true,
    description: 'Signs every delivery; generated by default.',
    examples: ['a-secret-of-your-own'],
  }),
)

const SECRET_EXAMPLE = 'whsec_4kQ2nC8vT1sYx0ZbRj7mLwPdEu5HfGaV'

/** The secret in the response to a request that had none. */
const ShownSecret = Type.Optional(
  Assumed(
    'The response shows a generated secret, because the caller has no other way to learn it.',
    Type.String({
      description: 'Only if the request had none. Shown only in this response.',
      examples: [SECRET_EXAMPLE],
    }),
  ),
)

/** The secret in the response of an interface whose requests have none. */
const GeneratedSecret = Type.String({
  description: 'The key of the signature of every delivery. Only this response contains it.',
  examples: [SECRET_EXAMPLE],
})
