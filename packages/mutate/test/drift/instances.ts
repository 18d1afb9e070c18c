/** The mutations that are possible at the operations of a simulator, and the choice of a sample of them. */
import { randomFrom, type Random } from '../../../../test/support/company/random.ts'
import { hashOf } from './json.ts'
import { KINDS } from './kinds/index.ts'
import { isSame, type Kind, type Mutation } from './kind.ts'
import { copyOf } from './proxy.ts'
import type { Send, Probed } from './subject.ts'

const SEED = 35

/**
 * Returns at most `places` mutations for each kind and operation. Each changes at least one of the sampled answers.
 * The choice of places is the same in each run.
 */
export async function mutationsOf(
  probed: readonly Probed[],
  send: Send,
  options: { readonly places: number; readonly kinds?: readonly Kind[] },
): Promise<Mutation[]> {
  const { places, kinds = KINDS } = options
  const found: Mutation[] = []
  for (const subject of probed) {
    for (const kind of kinds) {
      const random = randomFrom(SEED + hashOf(`${kind.name} ${subject.readable.title}`))
      const also = kind.covers
        ? subject.all.filter((other) => other !== subject.readable && kind.covers?.(other, subject.readable))
        : []
      let chosen = 0
      for (const at of shuffled(kind.places(subject), random)) {
        if (chosen === places) break
        const mutation: Mutation = { kind, readable: subject.readable, at, also }
        if (!(await changesSomething(mutation, subject, send))) continue
        found.push(mutation)
        chosen += 1
      }
    }
  }
  return found
}

async function changesSomething(
  { kind, readable, at }: Mutation,
  { samples }: Probed,
  send: Send,
): Promise<boolean> {
  for (const { path, query, answer } of samples) {
    for (const repeats of [0, 1]) {
      const after = await kind.apply({
        readable,
        call: { path, query, repeats },
        answer: copyOf(answer),
        at,
        send,
      })
      if (!isSame(answer, after)) return true
    }
  }
  return false
}

/** Returns `count` mutations with every kind and every interface as evenly as possible; the same in each run. */
export function sampleOf(mutations: readonly Mutation[], count: number): Mutation[] {
  const random = randomFrom(SEED)
  const queues = [...groupBy(shuffled(mutations, random), ({ kind }) => kind.name).values()]
  const used = new Map<string, number>()
  const sample: Mutation[] = []
  while (sample.length < count && queues.some((queue) => queue.length > 0)) {
    for (const queue of queues.filter(({ length }) => length > 0).slice(0, count - sample.length)) {
      // The operation that was chosen least often so far.
      const uses = queue.map(({ readable }) => used.get(readable.title) ?? 0)
      const [next] = queue.splice(uses.indexOf(Math.min(...uses)), 1)
      if (!next) continue
      used.set(next.readable.title, (used.get(next.readable.title) ?? 0) + 1)
      sample.push(next)
    }
  }
  return sample
}

export function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return groups
}

function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  const rest = [...items]
  const order: Item[] = []
  while (rest.length > 0) order.push(...rest.splice(random.between(0, rest.length - 1), 1))
  return order
}
