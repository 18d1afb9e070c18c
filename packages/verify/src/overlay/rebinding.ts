/** The answers of a service as answers to another document of the same operations. */
import type { Exchange, Purpose } from '../exchanges/exchange.ts'
import { listOf } from '../model/list.ts'
import type { Operation } from '../model/operation.ts'
import { withAnswers, type Answers } from '../crawl/answers.ts'
import type { StepResult } from '../write/runScenarios.ts'

export interface Rebound {
  readonly answers: Answers
  readonly steps: readonly StepResult[]
}

/** Returns copies of the answers of the operations, which refer to the operations of another document and to each other. */
export function rebound(
  operations: readonly Operation[],
  answers: Answers,
  steps: readonly StepResult[],
): Rebound {
  const byId = new Map(operations.map((operation) => [`${operation.interface} ${operation.id}`, operation]))
  const copies = new Map<Exchange, Exchange>()
  const operationOf = ({ probe: { operation } }: Exchange): Operation | undefined =>
    byId.get(`${operation.interface} ${operation.id}`)
  const copyOf = (exchange: Exchange): Exchange => {
    const known = copies.get(exchange)
    if (known) return known
    const { probe } = exchange
    const operation = operationOf(exchange) ?? probe.operation
    const purpose = purposeIn(operation, probe.purpose)
    const copy: Exchange = {
      ...exchange,
      probe: {
        ...probe,
        operation,
        purpose: 'of' in purpose && purpose.of ? { ...purpose, of: copyOf(purpose.of) } : purpose,
      },
    }
    copies.set(exchange, copy)
    return copy
  }
  const own = answers.exchanges.filter((exchange) => operationOf(exchange) !== undefined)
  return {
    answers: withAnswers(
      operations.filter(({ method }) => method === 'GET'),
      own.map(copyOf),
      [...answers.silent].flatMap(({ interface: name, id }) => byId.get(`${name} ${id}`) ?? []),
    ),
    steps: steps
      .filter(({ exchange }) => operationOf(exchange) !== undefined)
      .map((step) => ({ ...step, exchange: copyOf(step.exchange), simulated: copyOf(step.simulated) })),
  }
}

/** A call with a size of pages is compared with the maximum of its document. */
function purposeIn(operation: Operation, purpose: Purpose): Purpose {
  const maximum = Number(purpose.kind === 'size' ? listOf(operation)?.size?.schema['maximum'] : NaN)
  return purpose.kind === 'size' && !Number.isNaN(maximum) ? { ...purpose, maximum } : purpose
}
