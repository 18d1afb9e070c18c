/** The properties of the exam that need many deliveries or retries. */
import { counted } from '@suite-sim/kit/text/counted'
import { KEPT, passOn, type Exchange, type Incoming } from './relay.ts'
import { inWorkspace, gradeWork, type Property } from './properties.ts'
import { asksForRetry, fail, isAccepted, answerText, type Session, type Outcome } from './session.ts'
import type { Emitted, ExamWorkspace } from './simulator.ts'

const HOUR = 60 * 60

export const lostAnswer: Property = {
  name: 'lost_answer',
  title: 'A retry of a delivery whose answer was lost is accepted, and its work is done once',
  run: (session) =>
    inWorkspace(session, async (workspace) => {
      const { relay } = session.parts
      const { event } = session
      const emitting = workspace.emit({ event })
      relay.rule = async ({ delivery, attempt }, forward) => {
        const answer = await forward()
        return delivery === (await emitting).delivery && attempt === 1 ? null : answer
      }
      const first = await emitting
      const [attempt] = await workspace.attemptsOf(first, 1)
      if (!isAccepted(attempt)) return fail(`The receiver ${answerText(attempt)} the first attempt.`)
      const other = await workspace.deliver({ event })
      if (!isAccepted(other.attempts[0]))
        return fail(`The receiver ${answerText(other.attempts[0])} the next event.`)
      await workspace.advance(session.parts.schedule.firstRetrySeconds)
      const [, retry] = await workspace.attemptsOf(first, 2)
      if (!isAccepted(retry)) return fail(`The receiver ${answerText(retry)} the retry.`)
      // One time for the delivery, and one for the event between its attempts.
      return gradeWork(
        await session.after([first, other.event], 2),
        2,
        'Two events were accepted, one of them twice.',
      )
    }),
}

const EVENTS_IN_OUTAGE = 5

export const outage: Property = {
  name: 'outage',
  title: ({ length }) => `After an outage of ${length.words}, the retries are accepted and nothing is lost`,
  run: (session) => {
    // The receiver is unreachable until about the last attempt.
    const { length, longest } = session.parts.schedule
    return inWorkspace(
      session,
      async (workspace) => {
        const { relay } = session.parts
        relay.rule = async () => null
        const emitted = await emitAll(session, workspace, EVENTS_IN_OUTAGE)
        await allEnded(workspace, emitted, 1)
        await workspace.advance(length.seconds)
        relay.rule = passOn
        // Longer than the last attempt can be after the outage.
        await workspace.advance(longest.seconds - length.seconds + 2 * HOUR)
        const dead = await workspace.redeliverDead()
        const arrived = await arrivals(session, emitted)
        const refused = arrived.find(([, got]) => !got.some(isAccepted))
        if (refused) {
          const [, got] = refused
          return fail(
            `The receiver ${answerText(got.at(-1))} an event of ${length.words} ago. The last retry of an event can be ${longest.words} old.`,
          )
        }
        const how = dead === 0 ? '' : ` ${String(dead)} had no retry left and were sent again with redeliver.`
        return gradeAll(session, emitted, `All ${String(EVENTS_IN_OUTAGE)} events were accepted.${how}`)
      },
      // How long the receiver's clock is ahead of that of the workspace when the events occur.
      (length.seconds + HOUR / 2) * 1000,
    )
  },
}

export const EVENTS_AT_ONCE = 500

/** The most deliveries to one receiver that are in flight, as everywhere in the simulator. */
const IN_FLIGHT = 50

/** Attempts without a good answer after which the rest is not sent. */
const MAX_FAILURES = 25

export const burst: Property = {
  name: 'burst',
  title: `${String(EVENTS_AT_ONCE)} events at once are all answered in time and accepted`,
  run: (session) =>
    inWorkspace(session, async (workspace) => {
      const { relay, eventsAtOnce } = session.parts
      const collected: Incoming[] = []
      relay.rule = async (incoming) => {
        collected.push(incoming)
        return KEPT
      }
      const emitted = await emitAll(session, workspace, eventsAtOnce)
      await relay.until(() => collected.length >= eventsAtOnce)
      const attempts = await sendAtOnce(session, collected)
      const bad = attempts.filter(isBad)
      if (bad.length > 0) {
        const of = `${String(bad.length)} of ${String(attempts.length)} events at once`
        return fail(`The receiver ${answerText(bad[0])} ${of}.`)
      }
      const late = emitted.filter(({ delivery }) =>
        attempts.some((each) => each.delivery === delivery && !isAccepted(each)),
      )
      relay.rule = passOn
      for (const each of late) await workspace.redeliver(each)
      if (late.length > 0) await workspace.advance(HOUR)
      const lost = late.filter(
        ({ delivery }) => !relay.exchanges.some((each) => each.delivery === delivery && isAccepted(each)),
      )
      if (lost.length > 0) {
        return fail(
          `${counted(lost.length, 'event')} ${lost.length === 1 ? 'was' : 'were'} put off, and not accepted within an hour of retries.`,
        )
      }
      const how = late.length === 0 ? '' : ` ${String(late.length)} were put off and accepted as retries.`
      return gradeAll(session, emitted, `All ${String(eventsAtOnce)} events were answered in time.${how}`)
    }),
}

const isBad = (attempt: Exchange): boolean => !isAccepted(attempt) && !asksForRetry(attempt)

/** Sends the attempts itself, because the dispatcher sends few at once to a receiver that it does not know. */
async function sendAtOnce({ parts: { relay } }: Session, all: readonly Incoming[]): Promise<Exchange[]> {
  const ended: Exchange[] = []
  let index = 0
  const sendNext = async (): Promise<void> => {
    for (let next = all[index++]; next; next = all[index++]) {
      ended.push(await relay.send(next))
      if (ended.filter(isBad).length >= MAX_FAILURES) return
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, sendNext))
  return ended
}

/** Emits events of all kinds in turn. */
const emitAll = (session: Session, workspace: ExamWorkspace, count: number): Promise<Emitted[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => workspace.emit({ event: session.eventAt(index) })))

async function allEnded(
  workspace: ExamWorkspace,
  emitted: readonly Emitted[],
  attempts: number,
): Promise<void> {
  for (const each of emitted) await workspace.attemptsOf(each, attempts)
}

/** Returns the attempts of each event that reached the receiver, when at least one has; or no more arrive. */
async function arrivals(
  { parts: { relay } }: Session,
  emitted: readonly Emitted[],
): Promise<(readonly [Emitted, readonly Exchange[]])[]> {
  const find = (): Map<string, Exchange[]> => {
    const found = new Map<string, Exchange[]>()
    for (const each of relay.exchanges) {
      if (!each.isForwarded) continue
      const list = found.get(each.delivery)
      if (list) list.push(each)
      else found.set(each.delivery, [each])
    }
    return found
  }
  await relay.until(() => {
    const found = find()
    return emitted.every(({ delivery }) => found.has(delivery))
  })
  const found = find()
  return emitted.map((each) => [each, found.get(each.delivery) ?? []])
}

async function gradeAll(session: Session, emitted: readonly Emitted[], words: string): Promise<Outcome> {
  const state = await session.after(emitted, emitted.length)
  // Without --observe, the property is that all are accepted.
  if (state.problem === null && state.done === null) return { grade: 'pass', reason: words }
  return gradeWork(state, emitted.length, words)
}
