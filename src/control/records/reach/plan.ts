/** Plans the shortest way of a new record into a state, over the moves of its machine and of the records that it needs. */
import { statesBefore } from '../../../state/model/machine.ts'
import type { ReadingChooser } from '../../../state/model/reading.ts'
import type { Need, Reachable, SentFields, Step } from '../../../state/model/ways.ts'
import { literally, mapTexts, withReferences, type Reference } from './references.ts'

/** A step whose references name the steps of the plan. */
export interface PlannedStep extends Omit<Step, 'needs' | 'made'> {
  readonly interface: string
  /** The name of its answer: `link`, `link2`. */
  readonly as: string
  /** Whether it reads the clock. */
  readonly isReading?: true
}

export interface Plan {
  readonly steps: readonly PlannedStep[]
  /** The step that makes the record. */
  readonly made: PlannedStep
  /** The call that returns the record. */
  readonly get?: string
}

/** How much longer a clock move makes a way, because it changes other records, too. */
const CLOCK_COST = 10

interface Route {
  readonly cost: number
  /** The step that makes the record, and those of its moves. */
  readonly steps: readonly Step[]
}

/** Returns the shortest routes to all states that have one. */
function routesOf(machine: Reachable, place: ReadingChooser): Map<string, Route> {
  const cost = (step: Step): number =>
    (step.call === undefined && step.trigger === undefined ? 0 : 1) +
    (step.clock === undefined ? 0 : CLOCK_COST) +
    Object.values(step.needs ?? {}).reduce((sum, need) => sum + costOf(need), 0)
  const costOf = (need: Need): number =>
    'machine' in need ? (routesOf(need.machine, place).get(need.state)?.cost ?? Infinity) : cost(need)

  const best = new Map<string, Route>()
  const offer = (state: string, before: Route, steps: readonly Step[]): boolean => {
    const route = {
      cost: before.cost + steps.reduce((sum, step) => sum + cost(step), 0),
      steps: [...before.steps, ...steps],
    }
    if (route.cost >= (best.get(state)?.cost ?? Infinity)) return false
    best.set(state, route)
    return true
  }
  for (const [state, step] of Object.entries(machine.reach?.made ?? {}))
    if (step) offer(state, { cost: 0, steps: [] }, [step])
  const improve = (): boolean =>
    Object.values(machine.moves)
      .flatMap((move) => statesBefore(move, place).map((from) => ({ ...move, before: best.get(from) })))
      .map(
        ({ to, way, before }) => way !== undefined && before !== undefined && offer(to, before, [way].flat()),
      )
      .includes(true)
  while (improve());
  return best
}

/** Returns the plan; null if no way leads to the state. `fields` replace those of the step that makes the record. */
export function planOf(
  machine: Reachable,
  state: string,
  place: ReadingChooser,
  fields: SentFields,
): Plan | null {
  const steps: PlannedStep[] = []
  const names = new Set(['workspace'])

  const nameFor = (wanted: string): string => {
    let name = wanted
    for (let count = 2; names.has(name); count++) name = wanted + String(count)
    names.add(name)
    return name
  }

  /** First, so that the time is before all that happens on the way. */
  const readClock = (): string => {
    if (!names.has('clock')) steps.unshift({ isReading: true, interface: 'control', as: nameFor('clock') })
    return 'clock'
  }

  /** Adds a step after the records that it needs. `scope` has the names of steps by those in its references. */
  const add = (of: string, step: Step, wanted: string, scope: Map<string, string>): PlannedStep => {
    const { needs = {}, made: _made, ...rest } = step
    for (const [name, need] of Object.entries(needs)) {
      const needed =
        'machine' in need ? addRecord(need.machine, need.state, {}).made : add(of, need, name, new Map(scope))
      scope.set(name, needed.as)
    }
    const rename = (reference: Reference): Reference =>
      reference.name === 'clock' ? { ...reference, name: readClock() } : renamedIn(scope)(reference)
    const renamed = mapTexts(rest, (text) => withReferences(text, rename)) as typeof rest
    const planned = { ...renamed, interface: of, as: nameFor(wanted) }
    scope.set(wanted, planned.as)
    steps.push(planned)
    return planned
  }

  const addRecord = (of: Reachable, to: string, sent: SentFields) => {
    const [making = {}, ...moves] = routesOf(of, place).get(to)?.steps ?? []
    const [owner = '', noun = ''] = of.name.split('.')
    const scope = new Map<string, string>()
    const body = Object.assign({ ...making.body }, ...moves.map((each) => each.made), sent) as SentFields
    const made = add(owner, { ...making, body }, making.as ?? camelCase(noun), scope)
    for (const step of moves)
      if ((step.call ?? step.trigger ?? step.clock) !== undefined)
        add(owner, step, step.as ?? 'answer', scope)
    return { made, scope }
  }

  if (!routesOf(machine, place).has(state)) return null
  const { made, scope } = addRecord(machine, state, literally(fields))
  const { get } = machine.reach ?? {}
  return { steps, made, ...(get !== undefined && { get: withReferences(get, renamedIn(scope)) }) }
}

const renamedIn =
  (scope: ReadonlyMap<string, string>) =>
  (reference: Reference): Reference => ({ ...reference, name: scope.get(reference.name) ?? reference.name })

const camelCase = (name: string): string =>
  name.replaceAll(/_(.)/g, (_all, letter: string) => letter.toUpperCase())
