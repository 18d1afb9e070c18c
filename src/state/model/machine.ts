/**
 * State machines as data. One list of states and moves defines the database column, schemas, control plane, docs and
 * diagrams. A move that is not in the list is refused.
 */
import type { Fidelity } from './fidelity.ts'
import type { Reading, ReadingChooser } from './reading.ts'
import { Refusal } from './refusal.ts'
import type { Making, Step } from './ways.ts'

export interface Move<State extends string> {
  readonly from: readonly State[]
  /** The previous states under another reading than the default. */
  readonly under?: { readonly reading: Reading; readonly is: string; readonly from: readonly State[] }
  readonly to: State
  /** What the record can do, in messages: "fall due". Default is the passive of the name: "be cancelled". */
  readonly can?: string
  /** What triggers the move: an operation, a trigger or the clock. */
  readonly by: string
  /** The event that is appended with the move. */
  readonly emits?: string
  /** The alternative event, if some records of the machine use another name for the move. */
  readonly orEmits?: string
  /** States in which the move changes nothing and is no error, so that the call can be repeated. */
  readonly settledIn?: readonly State[]
  /** What leads through it. */
  readonly way?: Step | readonly Step[]
  readonly fidelity: Fidelity
}

export interface MachineDefinition<State extends string, Name extends string> {
  /** "catalog.activity": the interface and the record. */
  readonly name: string
  readonly title: string
  readonly states: readonly [State, ...State[]]
  /** The states of new records, the default first. */
  readonly initial: readonly [State, ...State[]]
  readonly reach?: Making<State>
  readonly moves: Readonly<Record<Name, Move<State>>>
}

export interface Machine<
  State extends string = string,
  Name extends string = string,
  Moves extends Readonly<Record<Name, Move<State>>> = Readonly<Record<Name, Move<State>>>,
> extends MachineDefinition<State, Name> {
  /** With the literal names of the events, so that code that appends one can read it here. */
  readonly moves: Moves
  /** Returns the state after the move, or a refusal with the reason. */
  attempt(from: State, move: NoInfer<Name>): State | Refusal
  /** Returns the move between two states under the readings of a workspace, for operations that set a status, or a refusal. */
  moveBetween(from: State, to: State, place?: ReadingChooser): Name | Refusal
  /** Returns a Mermaid state diagram. */
  diagram(): string
}

/** Creates a machine. The types contain the names of states, moves and events, so that a typo does not compile. */
export function machine<
  const State extends string,
  const Moves extends Readonly<Record<string, Move<NoInfer<State>>>>,
>(
  definition: MachineDefinition<State, keyof Moves & string> & { readonly moves: Moves },
): Machine<State, keyof Moves & string, Moves> {
  type Name = keyof Moves & string
  const moves = Object.entries<Move<State>>(definition.moves) as [Name, Move<State>][]
  const record = definition.title.toLowerCase()

  const created: Machine<State, Name, Moves> = {
    ...definition,

    attempt(from, name) {
      const move: Move<State> = definition.moves[name]
      if (move.from.includes(from)) {
        lastMove = { of: created, move: name }
        return move.to
      }
      if (move.settledIn?.includes(from)) return from
      return new Refusal(
        'wrong_state',
        `The ${record} is ${from}; it can ${move.can ?? passive(name)} only while ${move.from.join(' or ')}.`,
        { facts: { state: from, move: name }, ...assumptionOf(move) },
      )
    },

    moveBetween(from, to, place) {
      const found = moves.find(([, move]) => move.to === to && statesBefore(move, place).includes(from))
      if (found) return found[0]
      const possible = moves.filter(([, move]) => statesBefore(move, place).includes(from))
      const reachable = [...new Set(possible.map(([, move]) => move.to))]
      const [, wanted] = moves.find(([, move]) => move.to === to) ?? []
      const reading = moves.find(([, move]) => move.to === to && move.from.includes(from))?.[1].under?.reading
      return new Refusal(
        'wrong_state',
        `The ${record} is ${from} and cannot become ${to}; from ${from} it can become ${
          reachable.join(' or ') || 'nothing else'
        }.`,
        {
          facts: { state: from, wanted: to },
          ...(reading && { reading }),
          ...(wanted && assumptionOf(wanted)),
        },
      )
    },

    diagram() {
      const lines = ['stateDiagram-v2']
      for (const state of definition.initial) lines.push(`  [*] --> ${state}`)
      for (const [name, move] of moves) {
        for (const from of move.from) lines.push(`  ${from} --> ${move.to}: ${name}`)
      }
      return `${lines.join('\n')}\n`
    },
  }
  byStates.set(definition.states, created)
  return created
}

/** Returns the previous states of a move under the readings of a workspace. */
export const statesBefore = <State extends string>(
  { from, under }: Pick<Move<State>, 'from' | 'under'>,
  place?: ReadingChooser,
): readonly State[] => (under && place?.reading(under.reading) === under.is ? under.from : from)

/**
 * Returns the states for which a rule holds. The rule answers for every state, so that a new state does not compile
 * until each rule covers it.
 */
export const statesWhere = <State extends string>(
  { states }: Pick<Machine<State>, 'states'>,
  rule: Readonly<Record<NoInfer<State>, boolean>>,
): readonly State[] => states.filter((state) => rule[state])

/** Returns a value for each state. */
export const ofEachState = <State extends string, Value>(
  { states }: Pick<Machine<State>, 'states'>,
  value: (state: State) => Value,
): Record<State, Value> =>
  Object.fromEntries(states.map((state) => [state, value(state)])) as Record<State, Value>

/** Columns use the same array of states as their machine. */
const byStates = new WeakMap<readonly string[], Machine>()

/** Returns the machine with this array of states, compared by identity. */
export const machineOfStates = (states: readonly string[]): Machine | undefined => byStates.get(states)

let lastMove: { readonly of: object; readonly move: string } | null = null

/** Returns the name of the move between two states. If several moves fit, prefers the last one that was made. */
export function moveNameBetween(of: Machine, from: string, to: string): string {
  const fits = ([, move]: [string, Move<string>]): boolean => move.to === to && move.from.includes(from)
  const candidates = Object.entries(of.moves).filter(fits)
  const attempted = lastMove?.of === of ? lastMove.move : undefined
  const [name] = candidates.find(([each]) => each === attempted) ?? candidates[0] ?? []
  return name ?? `${from} to ${to}`
}

/** Why the refusal of a move is assumed: because the specification does not show the move, or not its conditions. */
const assumptionOf = ({ fidelity }: Move<string>): { readonly assumed?: string } =>
  fidelity.why === undefined ? {} : { assumed: fidelity.why }

const PARTICIPLES: Readonly<Record<string, string>> = {
  cancel: 'cancelled',
  give: 'given',
  lose: 'lost',
  pay: 'paid',
  read: 'read',
  resend: 'resent',
  send: 'sent',
  show: 'shown',
  win: 'won',
}

/** Returns the passive of a move: "be shown again" for show_again. */
export function passive(name: string): string {
  const [verb = '', ...others] = name.split('_')
  const isShort = /^[^aeiou]+[aeiou][^aeiouwxy]$/.test(verb)
  const participle =
    PARTICIPLES[verb] ?? (verb.endsWith('e') ? `${verb}d` : `${verb}${isShort ? verb.slice(-1) : ''}ed`)
  return ['be', participle, ...others].join(' ')
}

/** Returns the next state, or throws the refusal. For actions in a transaction, which a refusal undoes. */
export function mustMove<State extends string, Name extends string>(
  of: Pick<Machine<State, Name>, 'attempt'>,
  from: State,
  move: NoInfer<Name>,
): State {
  const next = of.attempt(from, move)
  if (next instanceof Refusal) throw next
  return next
}

/** The new state, and the event that must be appended. */
export interface Taken<State extends string, Event> {
  readonly state: State
  readonly event: Event
}

/**
 * Makes a move with an event. Returns the next state and the event name, or throws the refusal. A move without an
 * event does not compile.
 */
export function take<
  State extends string,
  Taking extends string,
  Moves extends Readonly<Record<Taking, Move<State> & { readonly emits: string }>>,
>(
  of: Pick<Machine<State, Taking>, 'attempt'> & { readonly moves: Moves },
  from: State,
  move: Taking,
): Taken<State, Moves[Taking]['emits']> {
  return { state: mustMove(of, from, move), event: of.moves[move].emits }
}
