/**
 * Bare Fastify: the measured routes, each with a fixed response in the simulator's shape and a response
 * schema. Bodies are parsed and validated; no credential, query or state.
 */
import Fastify from 'fastify'
import { answerQuestions } from '../answering.ts'

export interface FixedAnswers {
  readonly product: object
  readonly page: object
  readonly created: object
  readonly workspace: object
}

const text = { type: 'string' }
const textOrNull = { type: 'string', nullable: true }
const flag = { type: 'boolean' }
const integer = { type: 'integer' }
const anything = { type: 'object', additionalProperties: true }
const object = (properties: object, ...required: string[]): object => ({
  type: 'object',
  properties,
  required,
})
const list = (items: object): object => ({ type: 'array', items })

const sent = {
  name: text,
  type: text,
  category: textOrNull,
  sku: textOrNull,
  description: textOrNull,
  basePrice: textOrNull,
  currency: textOrNull,
  taxRate: textOrNull,
  unit: textOrNull,
  status: text,
  ownerId: textOrNull,
}
const product = {
  id: text,
  ...sent,
  ownerName: textOrNull,
  hasVariants: flag,
  metadata: anything,
  sortOrder: integer,
  createdAt: text,
  updatedAt: text,
}
const body = object({ ...sent, hasVariants: flag, metadata: anything, sortOrder: integer }, 'name', 'type')
const changes = object(sent)
const oneProduct = object({ data: object(product) })
const productWithPlans = object({ data: object({ ...product, plans: list(anything) }) })
const pageOfProducts = object({
  data: list(object(product)),
  pagination: object({ nextCursor: textOrNull, hasMore: flag }),
})
const workspace = object({
  workspace: object({
    id: text,
    name: text,
    accountId: integer,
    currency: text,
    timezone: text,
    modules: object({ products: flag }),
    plan: object({ apiAccess: flag }),
    createdAt: text,
  }),
  user: object({ id: text, name: text, email: text }),
  key: text,
})

answerQuestions<FixedAnswers, string>((answers) => {
  const app = Fastify({ logger: false })
  const products = '/workspace/public/v1/products'
  app.get(products, { schema: { response: { 200: pageOfProducts } } }, async () => answers.page)
  app.get(`${products}/:id`, { schema: { response: { 200: productWithPlans } } }, async () => answers.product)
  app.post(products, { schema: { body, response: { 201: oneProduct } } }, async (_request, reply) => {
    reply.code(201)
    return answers.created
  })
  app.put(
    `${products}/:id`,
    { schema: { body: changes, response: { 200: oneProduct } } },
    async () => answers.created,
  )
  app.post(
    '/_sim/workspaces',
    { schema: { body: object({ name: text }), response: { 201: workspace } } },
    async (_request, reply) => {
      reply.code(201)
      return answers.workspace
    },
  )
  return app.listen({ host: '127.0.0.1', port: 0 })
})
