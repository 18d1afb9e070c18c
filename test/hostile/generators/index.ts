/** The attacks on an operation: the same for the same seed, operation and number. */
import { createHash } from 'node:crypto'
import fc, { type Arbitrary } from 'fast-check'
import type { AttackedWorkspace } from '../attackedWorkspace.ts'
import type { HostileRequest, Plan } from '../request.ts'
import type { Operation, Surface } from '../surface.ts'
import { pathAttacks, queryAttacks } from './addresses.ts'
import { bodyAttacks } from './bodies.ts'
import { formAttacks } from './forms.ts'
import { framingAttacks } from './framing.ts'
import { headAttacks, methodAttacks } from './heads.ts'
import { sequences } from './sequences.ts'

/** Plans the cases of a workspace. */
export class Planner {
  readonly #surface: Surface
  readonly #prey: AttackedWorkspace
  readonly #seed: number
  readonly #plans = new Map<Operation, Arbitrary<Plan>>()

  constructor(surface: Surface, prey: AttackedWorkspace, seed: number) {
    this.#surface = surface
    this.#prey = prey
    this.#seed = seed
  }

  plan(operation: Operation, number: number): Plan {
    let plans = this.#plans.get(operation)
    if (!plans) this.#plans.set(operation, (plans = this.#plansOf(operation)))
    const seed = seedOf(`${String(this.#seed)} ${operation.title} ${String(number)}`)
    const [plan] = fc.sample(plans, { seed, numRuns: 1 })
    if (!plan) throw new Error('there is no plan')
    return plan
  }

  #plansOf(operation: Operation): Arbitrary<Plan> {
    const { patterns, operations } = this.#surface
    const prey = this.#prey
    const takesJson = operation.takes?.isForm === false
    const takesForm = operation.takes?.isForm === true
    const hasQuery = operation.parameters.some((each) => each.in === 'query')
    const body = bodyAttacks(operation, prey, patterns)
    const form = formAttacks(operation, prey, patterns)
    const query = queryAttacks(operation, prey, patterns)
    const path = pathAttacks(operation, prey, patterns)
    const hostile = takesForm ? form : takesJson ? body : query
    return fc.oneof(
      { weight: takesJson ? 12 : 2, arbitrary: single('body', body) },
      { weight: takesForm ? 12 : 1, arbitrary: single('form', form) },
      { weight: hasQuery ? 8 : 1, arbitrary: single('query', query) },
      ...(path ? [{ weight: 4, arbitrary: single('path', path) }] : []),
      { weight: 2, arbitrary: single('head', headAttacks(operation, prey)) },
      { weight: 1, arbitrary: single('method', methodAttacks(operation, prey)) },
      { weight: 2, arbitrary: single('framing', framingAttacks(operation, prey)) },
      {
        weight: 2,
        arbitrary: sequences(operation, operations, prey, hostile).map((stages) => ({
          kind: 'sequence',
          stages,
        })),
      },
    )
  }
}

const single = (kind: string, requests: Arbitrary<HostileRequest>): Arbitrary<Plan> =>
  requests.map((request) => ({ kind, stages: [{ requests: [request] }] }))

/** 31 bits derived from the text. */
const seedOf = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE() >>> 1
