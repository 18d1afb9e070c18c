/** Runs all actions of one interface in several workspaces, with a different action first in each. */
import type { FreshApp } from '../support/app.ts'
import { everyOperation } from '../support/examples.ts'
import {
  callsOf,
  everyTrigger,
  demoWorkspace,
  timeStep,
  triggerActions,
  type ActionListener,
} from './allActions.ts'

/** The number of workspaces, each of which starts with a different action. */
const MAX_FIRST = 6

/**
 * Runs all actions of one interface again with a different action first in each workspace, because one record may
 * exclude another. Actions named in `preferred` ("POST /deals/{deal_id}/won", a trigger name) come first, with every body.
 * Stops when nothing is missing.
 */
export async function runEachFirst(
  name: string,
  preferred: string,
  isMissing: () => boolean,
  begin: (fresh: FreshApp) => ActionListener,
): Promise<void> {
  const triggers = (await everyTrigger()).filter((each) => each.name.startsWith(`${name}.`))
  const subjects = everyOperation().filter(
    ({ route }) => route.interface === name && !['GET', 'DELETE'].includes(route.method),
  )
  const sources = [
    ...triggers.map((trigger) => ({
      words: trigger.name,
      actions: (fresh: FreshApp) => triggerActions(fresh, trigger),
    })),
    ...subjects.map((subject) => {
      const words = `${subject.route.method} ${subject.route.path}`
      const isPreferred = preferred.includes(words)
      return {
        words,
        actions: (fresh: FreshApp, round: number) => callsOf(fresh, subject, round, isPreferred),
      }
    }),
  ]
  const inOrder = [
    ...sources.filter(({ words }) => preferred.includes(words)),
    ...sources.filter(({ words }) => !preferred.includes(words)),
  ]
  for (const first of inOrder.slice(0, MAX_FIRST)) {
    const fresh = await demoWorkspace()
    const seen = begin(fresh)
    const others = inOrder.filter((each) => each !== first)
    for (const [round, days] of [0.1, 2, 400].entries()) {
      for (const source of [first, ...others]) {
        for (const action of source.actions(fresh, round)) await seen(action, await action.do())
      }
      const time = timeStep(fresh, days)
      await seen(time, await time.do())
      if (!isMissing()) return
    }
  }
}
