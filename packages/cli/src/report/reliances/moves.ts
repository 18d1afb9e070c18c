/** Which moves of records and which outcomes of deliveries a run met. */
import type { Facts } from '../facts.ts'
import { causesIn } from './causes.ts'
import type { Relied, Reliances } from './collecting.ts'

export function addMoves(facts: Facts, found: Reliances): void {
  const { machines, interfaces } = facts
  const { moves } = causesIn(facts)
  for (const machine of machines) {
    const of = machine.name.split('.')[0] ?? ''
    const used = interfaces.get(of)
    for (const move of machine.moves) {
      if (move.fidelity.status !== 'assumed') continue
      const place = `${machine.name} ${move.name}`
      const own = moves.filter((each) => isMoveOf(each, machine, move, facts))
      for (const from of new Set(own.map((each) => each.from))) {
        const sentence = used?.sentenceOf(`move ${place}`) ?? null
        const relied: Relied = { ...reliedOn(machine, move, from), interface: of, sentence }
        for (const each of own) if (each.from === from) found.add(relied, each.root)
      }
    }
  }
}

/** What became of a delivery: its machine belongs to no interface, and its moves are not in the timeline. */
export function addOutcome({ machines }: Facts, status: string, request: string, found: Reliances): void {
  const machine = machines.find(({ name }) => name === DELIVERY)
  const move = machine?.moves.find(({ to }) => to === status)
  if (!machine || move?.fidelity.status !== 'assumed') return
  const [from = ''] = move.from
  found.add({ ...reliedOn(machine, move, from), interface: 'webhooks', sentence: null }, request)
}

const DELIVERY = 'webhooks.delivery'

type Machine = Facts['machines'][number]
type Move = Machine['moves'][number]

function reliedOn(machine: Machine, move: Move, from: string): Pick<Relied, 'subject' | 'why' | 'claim'> {
  const place = `${machine.name} ${move.name}`
  const { title } = machine
  return {
    subject: { kind: 'move', key: `move ${place} ${from}`, place, title, from, to: move.to, by: move.by },
    why: move.fidelity.why ?? '',
    claim: `move ${place}`,
  }
}

const lettersOf = (name: string): string => name.replaceAll(/[^a-z.]/gi, '').toLowerCase()

/** The timeline names the section of a record: "payments.links" for the machine "payments.link". */
function isMoveOf(
  { section, move: name, from, to }: ReturnType<typeof causesIn>['moves'][number],
  machine: Machine,
  move: Move,
  { machines }: Facts,
): boolean {
  const isMove = (each: Move): boolean =>
    each.name === name && each.to === to && [...each.from, ...(each.under?.from ?? [])].includes(from)
  if (!isMove(move)) return false
  const [of] = section.split('.')
  const candidates = machines.filter((each) => each.name.split('.')[0] === of && each.moves.some(isMove))
  const named = candidates.filter((each) =>
    lettersOf(section).startsWith(lettersOf(each.name).replace(/y$/, '')),
  )
  return (named.length > 0 ? named : candidates).includes(machine)
}
