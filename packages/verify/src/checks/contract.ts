/** Compares each answer with the published document: status, media type, schema, and fields that it does not name. */
import type { Exchange } from '../exchanges/exchange.ts'
import type { Claims } from '../model/claims.ts'
import { record, rootOf, type CheckContext } from './context.ts'
import { schemasOf, type ResponseSchemas } from './schemas.ts'

export function checkContract(context: CheckContext): void {
  const { answers } = context
  const document = answers.operations[0]?.document
  if (!document) return
  const schemas = schemasOf(document)
  for (const exchange of answers.exchanges) if (exchange.status > 0) checkAnswer(context, schemas, exchange)
}

function checkAnswer(context: CheckContext, schemas: ResponseSchemas, exchange: Exchange): void {
  const { claims } = context
  const { status, probe, headers, body, text } = exchange
  const { operation } = probe
  const types = schemas.mediaTypes(operation, status)
  record(context, 'contract', exchange, {
    aspect: 'status',
    place: '',
    isEqual: types !== null,
    message: `The document has no status ${String(status)} for this call.`,
    expected: Object.keys(operation.published.responses).map(Number),
    actual: status,
    ...(types === null && { claim: `operation ${operation.address}` }),
  })
  if (types === null) return
  const statusClaim =
    claims.at(`${operation.address} ${String(status)}`, 'status') ?? claims.at(String(status), 'status')
  const agree = (claim: string): void => {
    record(context, 'contract', exchange, { aspect: 'seen', place: '', isEqual: true, claim })
  }
  if (statusClaim) agree(statusClaim.key)
  if (status < 300) agreeWithRequest(exchange, claims, agree)

  const type = (headers['content-type'] ?? '').split(';')[0]?.trim() ?? ''
  const fits = types.length === 0 ? text === '' : types.includes(type)
  record(context, 'contract', exchange, {
    aspect: 'media_type',
    place: '',
    isEqual: fits,
    message: types.length === 0 ? 'The document shows no body.' : 'The document has no such media type.',
    expected: types,
    actual: type,
  })
  if (!fits || type !== 'application/json') return
  if (body === undefined) {
    const message = 'The body is no JSON, although its media type says so.'
    record(context, 'contract', exchange, {
      aspect: 'json',
      place: '',
      isEqual: false,
      message,
      actual: text,
    })
    return
  }
  const errors = schemas.errors(operation, status, body)
  for (const error of errors) record(context, 'contract', exchange, { ...error, isEqual: false })
  const wrong = new Set(errors.map(({ place }) => place))
  if (wrong.size === 0) record(context, 'contract', exchange, { aspect: 'schema', place: '', isEqual: true })
  agreeWithParts(exchange, claims, wrong, agree)
}

/** The operation, and the parameters that it was called with, work. */
function agreeWithRequest({ probe }: Exchange, claims: Claims, agree: (claim: string) => void): void {
  const { address, inPath } = probe.operation
  const places = [address, ...inPath.map(({ name }) => `${address} {${name}}`)]
  for (const place of places) {
    for (const { kind, key } of claims.allAt(place)) {
      if (kind === 'operation' || kind === 'parameter') agree(key)
    }
  }
}

/** Every field, value and bound that the answer has agrees, except at the places that are wrong. */
function agreeWithParts(
  { probe, status, body }: Exchange,
  claims: Claims,
  wrong: ReadonlySet<string>,
  agree: (claim: string) => void,
): void {
  const root = rootOf(probe.operation, status)
  const agreed = new Set<string>()
  const visit = (value: unknown, place: string): void => {
    const found = claims.allAt(`${root}${place}`)
    if (!wrong.has(place)) {
      for (const { kind, key, detail } of found) {
        const isShown =
          kind === 'value' ? detail === String(value) : ['field', 'response', 'bound'].includes(kind)
        if (isShown) agreed.add(key)
      }
    }
    if (Array.isArray(value)) for (const item of value) visit(item, `${place}[]`)
    else if (typeof value === 'object' && value !== null) {
      for (const [name, each] of Object.entries(value)) {
        const own = `${place}.${name}`
        visit(each, claims.allAt(`${root}${own}`).length > 0 ? own : `${place}.*`)
      }
    }
  }
  visit(body, '')
  for (const key of agreed) agree(key)
}
