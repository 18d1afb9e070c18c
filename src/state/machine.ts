/**
 * State machines as data. One list of states and moves feeds the database column, the schemas, the control plane,
 * the docs and the diagrams; a move that is not in the list is a refusal, never an `if` in a handler.
 */
import type { Fidelity } from './fidelity.ts'
import { Refusal } from './refusal.ts'

export interface Move<State extends string> {
  readonly from: readonly State[]
  readonly to: State
  /** Who or what makes the move: an operation, a trigger, the clock. */
  readonly by: string
  /** The event that is appended with the move. */
  readonly emits?: string
  /** The event in its place, where records of one machine tell of the same move in other words. */
  readonly orEmits?: string
  /** States in which the move changes nothing and is no error: a call that may be repeated. */
  readonly settledIn?: readonly State[]
  readonly fidelity: Fidelity
}

export interface MachineDefinition<State extends string, Name extends string> {
  /** "catalog.activity": the interface and the record. */
  readonly name: string
  readonly title: string
  readonly states: readonly [State, ...State[]]
  /** The states a record may be created in, the default first. */
  readonly initial: readonly [State, ...State[]]
  readonly moves: Readonly<Record<Name, Move<State>>>
}

export interface Machine<
  State extends string = string,
  Name extends string = string,
  Moves extends Readonly<Record<Name, Move<State>>> = Readonly<Record<Name, Move<State>>>,
> extends MachineDefinition<State, Name> {
  /** With the exact names of the events, so that whoever appends one reads it here. */
  readonly moves: Moves
  /** The state after the move, or the refusal that says why there is none. */
  attempt(from: State, move: NoInfer<Name>): State | Refusal
  /** The move that leads from one state to the other, for operations that set a status; a refusal when none does. */
  moveBetween(from: State, to: State): Name | Refusal
  /** A Mermaid state diagram. */
  diagram(): string
}

/** Takes the names of states, moves and events from the definition, so that a typo in any does not compile. */
export function machine<
  const State extends string,
  const Moves extends Readonly<Record<string, Move<NoInfer<State>>>>,
>(
  definition: MachineDefinition<State, keyof Moves & string> & { readonly moves: Moves },
): Machine<State, keyof Moves & string, Moves> {
  type Name = keyof Moves & string
  const moves = Object.entries<Move<State>>(definition.moves) as [Name, Move<State>][]
  const record = definition.title.toLowerCase()

  const made: Machine<State, Name, Moves> = {
    ...definition,

    attempt(from, name) {
      const move: Move<State> = definition.moves[name]
      if (move.from.includes(from)) {
        lastTaken = { of: made, move: name }
        return move.to
      }
      if (move.settledIn?.includes(from)) return from
      return new Refusal(
        'wrong_state',
        `The ${record} is ${from}; it can only ${humanize(name)} when ${move.from.join(' or ')}.`,
        { facts: { state: from, move: name } },
      )
    },

    moveBetween(from, to) {
      const found = moves.find(([, move]) => move.to === to && move.from.includes(from))
      if (found) return found[0]
      const reachable = [...new Set(moves.filter(([, m]) => m.from.includes(from)).map(([, m]) => m.to))]
      return new Refusal(
        'wrong_state',
        `The ${record} is ${from} and cannot become ${to}; from ${from} it can become ${
          reachable.join(' or ') || 'nothing else'
        }.`,
        { facts: { state: from, wanted: to } },
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
  byStates.set(definition.states, made)
  return made
}

/** Columns name their states by the very list of their machine. */
const byStates = new WeakMap<readonly string[], Machine>()

/** The machine whose states these are, by identity of the list. */
export const machineOfStates = (states: readonly string[]): Machine | undefined => byStates.get(states)

let lastTaken: { readonly of: object; readonly move: string } | null = null

/** The name of the move that has led from one state to the other: the one that was just asked for, where it does. */
export function moveTaken(of: Machine, from: string, to: string): string {
  const leads = ([, move]: [string, Move<string>]): boolean => move.to === to && move.from.includes(from)
  const leading = Object.entries(of.moves).filter(leads)
  const asked = lastTaken?.of === of ? lastTaken.move : undefined
  const [name] = leading.find(([each]) => each === asked) ?? leading[0] ?? []
  return name ?? `${from} to ${to}`
}

const humanize = (name: string): string => name.replaceAll('_', ' ')

/** The next state, or the refusal thrown. For actions, which run inside a transaction that a refusal undoes. */
export function mustMove<State extends string, Name extends string>(
  of: Pick<Machine<State, Name>, 'attempt'>,
  from: State,
  move: NoInfer<Name>,
): State {
  const next = of.attempt(from, move)
  if (next instanceof Refusal) throw next
  return next
}

/** Where a move leads, and the event that has to be appended with it. */
export interface Taken<State extends string, Event> {
  readonly state: State
  readonly event: Event
}

/**
 * Takes a move that is told of: the next state together with the name of its event, or the refusal thrown. A move that
 * nothing tells of does not compile.
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
