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
> extends MachineDefinition<State, Name> {
  /** The state after the move, or the refusal that says why there is none. */
  attempt(from: State, move: NoInfer<Name>): State | Refusal
  /** The move that leads from one state to the other, for operations that set a status; a refusal when none does. */
  moveBetween(from: State, to: State): Name | Refusal
  /** A Mermaid state diagram. */
  diagram(): string
}

/** Takes the names of states and moves from the definition, so that a typo in either does not compile. */
export function machine<const State extends string, const Name extends string>(
  definition: MachineDefinition<State, Name>,
): Machine<State, Name> {
  const moves = Object.entries<Move<State>>(definition.moves) as [Name, Move<State>][]
  const record = definition.title.toLowerCase()

  return {
    ...definition,

    attempt(from, name) {
      const move = definition.moves[name]
      if (move.from.includes(from)) return move.to
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
}

const humanize = (name: string): string => name.replaceAll('_', ' ')

/** The next state, or the refusal thrown. For actions, which run inside a transaction that a refusal undoes. */
export function mustMove<State extends string, Name extends string>(
  of: Machine<State, Name>,
  from: State,
  move: NoInfer<Name>,
): State {
  const next = of.attempt(from, move)
  if (next instanceof Refusal) throw next
  return next
}
