/** Everything of one interface, with another deed first in each of some workspaces. */
import type { FreshApp } from '../support/app.ts'
import { everyOperation } from '../support/examples.ts'
import { attemptsOf, everyTrigger, furnishedDemo, passing, pullsOf, type Seen } from './everything.ts'

/** Workspaces in which deeds of an interface get to be the first. */
const MAX_FIRST = 6

/**
 * Does everything of one interface again, with another deed first in each of some workspaces, because a record that one
 * deed makes may prevent another; those in `wanted` ("POST /deals/{deal_id}/won", the name of a trigger) come first. Ends
 * when nothing is missing.
 */
export async function doEachFirst(
  name: string,
  wanted: string,
  isMissing: () => boolean,
  begin: (fresh: FreshApp) => Seen,
): Promise<void> {
  const triggers = (await everyTrigger()).filter((each) => each.name.startsWith(`${name}.`))
  const subjects = everyOperation().filter(
    ({ route }) => route.interface === name && !['GET', 'DELETE'].includes(route.method),
  )
  const sources = [
    ...triggers.map((trigger) => ({
      words: trigger.name,
      deeds: (fresh: FreshApp) => pullsOf(fresh, trigger),
    })),
    ...subjects.map((subject) => ({
      words: `${subject.route.method} ${subject.route.path}`,
      deeds: (fresh: FreshApp, round: number) => attemptsOf(fresh, subject, round),
    })),
  ]
  const inOrder = [
    ...sources.filter(({ words }) => wanted.includes(words)),
    ...sources.filter(({ words }) => !wanted.includes(words)),
  ]
  for (const first of inOrder.slice(0, MAX_FIRST)) {
    const fresh = await furnishedDemo()
    const seen = begin(fresh)
    const others = inOrder.filter((each) => each !== first)
    for (const [round, days] of [0.1, 2, 400].entries()) {
      for (const source of [first, ...others]) {
        for (const deed of source.deeds(fresh, round)) await seen(deed, await deed.do())
      }
      const time = passing(fresh, days)
      await seen(time, await time.do())
      if (!isMissing()) return
    }
  }
}
