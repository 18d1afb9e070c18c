/** Checks of scenarios: both sides answer each step with the same status, record, refusal and state. */
import { codes, refusalClaim } from '../differential/differential.ts'
import { checkContract } from '../checks/contract.ts'
import { record, type CheckContext } from '../checks/context.ts'
import { Answers } from '../crawl/answers.ts'
import type { StepResult } from './runScenarios.ts'
import { checkSent } from './sent.ts'

/** Records the checks of the steps of one interface. */
export function checkScenarios(
  context: CheckContext,
  steps: readonly StepResult[],
  operations: Answers['operations'],
): void {
  const answers = new Answers(operations)
  for (const { exchange } of steps) answers.add(exchange)
  const own: CheckContext = { ...context, answers }
  checkContract(own)
  for (const step of steps) checkStep(own, step)
}

function checkStep(context: CheckContext, result: StepResult): void {
  const { step, scenario, exchange, simulated, differences } = result
  const { claims } = context
  const { operation } = exchange.probe
  const move = step.moves === undefined ? undefined : claims.get(`move ${step.moves}`)?.key
  const where = `in the story of ${scenario.resource}`
  const isRefusal = simulated.status >= 300 || exchange.status >= 300
  if (isRefusal) {
    const [expected, actual] = [simulated, exchange].map(({ status, body }) => ({
      status,
      body: codes(body),
    }))
    record(context, 'story', exchange, {
      aspect: simulated.status < 300 ? 'accepts' : 'refusal',
      place: '',
      isEqual: differences?.length === 0,
      message:
        simulated.status < 300
          ? `The service refuses a call that the simulator accepts, ${where}.`
          : exchange.status < 300
            ? `The service accepts a call that the simulator refuses, ${where}.`
            : `The service refuses the call in another way, ${where}.`,
      expected,
      actual,
      claim: move ?? refusalClaim(context, exchange, simulated),
    })
  } else {
    record(context, 'story', exchange, {
      aspect: 'status',
      place: '',
      isEqual: exchange.status === simulated.status,
      message: `The simulator answers with another status, ${where}.`,
      expected: simulated.status,
      actual: exchange.status,
    })
    if (differences) {
      record(context, 'story', exchange, { aspect: 'body', place: '', isEqual: true })
      for (const { place, expected, actual } of differences)
        record(context, 'story', exchange, {
          aspect: 'body',
          place,
          isEqual: false,
          message: `The simulator answers otherwise, ${where}.`,
          expected,
          actual,
          // A state that a move should have changed is the fault of the move.
          ...(move !== undefined && /\bstatus\b/.test(place) && { claim: move }),
        })
    }
    if (move !== undefined)
      record(context, 'story', exchange, { aspect: 'move', place: '', isEqual: true, claim: move })
    if (step.rows !== undefined && differences?.length === 0)
      for (const name of Object.keys(exchange.probe.query)) {
        const claim = claims.at(`${operation.address} ?${name}`, 'parameter')?.key
        if (claim !== undefined)
          record(context, 'story', exchange, { aspect: 'filter', place: '', isEqual: true, claim })
      }
  }
  checkSent(context, result)
}
