/** Calls that the document allows succeed: further pages, filters and sorts, and reads of records that a list has. */
import type { Exchange } from '../exchanges/exchange.ts'
import { isAnswer, record, type CheckContext } from './context.ts'

/** Refusals of the call. Others depend on the key and on the state of the service. */
const REFUSED: ReadonlySet<number> = new Set([400, 404, 405, 410, 422])

export function checkAccepted(context: CheckContext): void {
  for (const exchange of context.answers.exchanges) {
    const { operation } = exchange.probe
    const isRefused = REFUSED.has(exchange.status)
    if (!isAllowed(exchange) || !(isRefused || showsAnswer(context, exchange))) continue
    record(context, 'relations', exchange, {
      aspect: 'accepted',
      place: '',
      isEqual: !isRefused,
      message: 'The service refuses a call that the document allows.',
      expected: operation.successes,
      actual: exchange.status,
      claim: claimOf(context, exchange),
    })
  }
}

/** A page without rows shows nothing of the parameters of its call. */
function showsAnswer(context: CheckContext, exchange: Exchange): boolean {
  const { answers } = context
  const isList = answers.listOf(exchange.probe.operation) !== null
  return isAnswer(context, exchange) && (!isList || answers.rows(exchange).length > 0)
}

/** The claim of the parameter that the call tries; that of the operation without one. */
function claimOf({ claims, answers }: CheckContext, { probe: { purpose, operation } }: Exchange): string {
  const list = answers.listOf(operation)
  const names: Readonly<Partial<Record<string, string>>> = {
    page: list?.position?.name,
    whole: list?.position?.name,
    size: list?.size?.name,
    sort: list?.sort?.parameter.name,
    ...('parameter' in purpose && { [purpose.kind]: purpose.parameter }),
  }
  const name = names[purpose.kind]
  const claim = name === undefined ? undefined : claims.at(`${operation.address} ?${name}`, 'parameter')
  return (claim ?? claims.at(operation.address, 'operation'))?.key ?? `operation ${operation.address}`
}

/** True for a call that an earlier answer or the document made possible. */
function isAllowed({ probe: { purpose, operation }, status }: Exchange): boolean {
  switch (purpose.kind) {
    case 'page':
    case 'whole':
    case 'filter':
    case 'sort':
    case 'variant': {
      return true
    }
    case 'size': {
      return purpose.size <= purpose.maximum
    }
    case 'record': {
      return purpose.of !== null
    }
    case 'plain': {
      // A value that a user gave can name a record that does not exist.
      return operation.inPath.length === 0 && status !== 404
    }
    default: {
      return false
    }
  }
}
