/** The properties of the exam that need one or a few deliveries. `outages.ts` has the others. */
import { randomToken } from '@suite-sim/kit/random'
import { signatureOf } from '@suite-sim/kit/webhooks/signature'
import { EVENT, SIGNATURE } from '@suite-sim/kit/webhooks/headers'
import { asOtherBytes } from './samples.ts'
import { passOn, type Exchange, type Incoming } from './relay.ts'
import {
  asksForRetry,
  fail,
  isAccepted,
  isRefused,
  notJudged,
  pass,
  answerText,
  type ReceiverState,
  type Session,
  type Outcome,
} from './session.ts'
import { DAY_MS, ExamWorkspace, type Emitted, type SimulatorParts } from './simulator.ts'

export interface Property {
  /** "wrong_signature" */
  readonly name: string
  readonly title: string | ((schedule: SimulatorParts['schedule']) => string)
  run(session: Session): Promise<Outcome>
}

/** Runs a property in a workspace of its own, whose clock is `age` ms behind. */
export async function inWorkspace<Result>(
  { parts }: Session,
  run: (workspace: ExamWorkspace) => Promise<Result>,
  age?: number,
): Promise<Result> {
  const workspace = await ExamWorkspace.start(parts, age)
  try {
    return await run(workspace)
  } finally {
    parts.relay.rule = passOn
    await workspace.end()
  }
}

const UNSEEN = 'Only --observe can show whether the work was done once.'
const UNORDERED = 'Only --observe with "current" can show which one is kept.'

/** Grades work that must be done a number of times. */
export function gradeWork({ problem, done }: ReceiverState, expected: number, words: string): Outcome {
  if (problem !== null) return fail(problem)
  if (done === null) return notJudged(`${words} ${UNSEEN}`)
  const { times } = done
  if (times === expected) return pass(`${words} The work was done ${timesOf(times)}.`)
  return fail(`The work was done ${timesOf(times)} instead of ${timesOf(expected)}.`)
}

const timesOf = (count: number): string =>
  count <= 0 ? 'never' : (['', 'once', 'twice'][count] ?? `${String(count)} times`)

export const duplicates: Property = {
  name: 'duplicates',
  title: 'A delivery that arrives again is accepted, and its work is done once',
  run: (session) =>
    inWorkspace(session, async (workspace) => {
      await workspace.fault('duplicate')
      const { event, attempts } = await workspace.deliver({ event: session.event }, 2)
      // While one is being processed, the other may be put off.
      const odd = attempts.find(
        (each) => !isAccepted(each) && !asksForRetry(each) && each.answer.status !== 409,
      )
      if (odd) return fail(`The receiver ${answerText(odd)} a delivery that arrived twice at the same time.`)
      if (!attempts.some(isAccepted)) return fail(`The receiver ${answerText(attempts[0])} both deliveries.`)
      const [first] = attempts
      const again = first && (await session.parts.relay.send(first))
      if (!isAccepted(again))
        return fail(`The receiver ${answerText(again)} a delivery that it had accepted before.`)
      const state = await session.after([event], 1)
      return gradeWork(state, 1, 'The same delivery was accepted three times.')
    }),
}

/** The ms between two events of one record. */
const BETWEEN_EVENTS_MS = 5000

export const reordering: Property = {
  name: 'reordering',
  title: 'An event that arrives after a newer one of the same record is accepted and does not undo it',
  run: (session) =>
    inWorkspace(session, async (workspace) => {
      const { event } = session
      let release = (): void => undefined
      const newerEnded = new Promise<void>((resolve) => {
        release = resolve
      })
      const seed = randomToken()
      const emitting = workspace.emit({ event, seed, at: workspace.now - BETWEEN_EVENTS_MS })
      session.parts.relay.rule = async ({ delivery }, forward) => {
        if (delivery === (await emitting).delivery) {
          await newerEnded
          return forward()
        }
        return forward().finally(release)
      }
      const older = await emitting
      const { event: newer, attempts } = await workspace.deliver({ event, seed }).finally(release)
      const [late] = await workspace.attemptsOf(older, 1)
      if (!isAccepted(attempts[0])) return fail(`The receiver ${answerText(attempts[0])} the newer event.`)
      if (!isAccepted(late))
        return fail(`The receiver ${answerText(late)} the older event, which arrived later.`)
      return gradeOrder(await session.after([older, newer], 2), older, newer)
    }),
}

/** The work of an older event can be left out, because the newer one has the state of the record. */
function gradeOrder({ problem, done }: ReceiverState, older: Emitted, newer: Emitted): Outcome {
  if (problem !== null) return fail(problem)
  if (done === null) return notJudged(`Both were accepted. ${UNORDERED}`)
  const { times, current } = done
  if (times < 1 || times > 2)
    return fail(`The work of two events was done ${timesOf(times)} instead of once or twice.`)
  if (current === null)
    return notJudged(`Both were accepted, and the work was done ${timesOf(times)}. ${UNORDERED}`)
  const shows = ({ id, delivery }: Emitted): boolean => current.includes(id) || current.includes(delivery)
  if (shows(older)) return fail('The older event, which arrived later, has overwritten the newer one.')
  return shows(newer) ? pass('The newer event is current.') : fail('The newer event is not current.')
}

export const stale: Property = {
  name: 'stale',
  title: 'An event that is a week old is refused, although its signature is right',
  run: async (session) =>
    // The fault moves the time of the event back by a day.
    inWorkspace(
      session,
      async (workspace) => {
        await workspace.fault('stale')
        const { event, attempts } = await workspace.deliver({ event: session.event })
        return gradeRefusal(session, event, attempts[0], {
          what: 'an event that is a week old',
          mayIgnore: true,
        })
      },
      6 * DAY_MS,
    ),
}

/** What must be refused. A 2xx that ignores it loses no event if `mayIgnore`. */
interface Bad {
  readonly what: string
  readonly mayIgnore: boolean
}

/** Grades a delivery that must be refused. */
async function gradeRefusal(
  session: Session,
  event: Emitted,
  attempt: Exchange | undefined,
  { what, mayIgnore }: Bad,
): Promise<Outcome> {
  const { problem, done } = await session.after([event], 0)
  const words = `The receiver ${answerText(attempt)} ${what}`
  if (done !== null && done.times > 0) return fail(`${words}, and did the work.`)
  if (problem !== null) return fail(`${words}. ${problem}`)
  if (isRefused(attempt)) return pass(`${words}.`)
  if (!isAccepted(attempt)) return fail(`${words}; it must refuse it with a 4xx.`)
  if (mayIgnore && done) return pass(`${words} without doing the work.`)
  const why = mayIgnore ? '' : ' After a 2xx, no correct retry follows.'
  return fail(`${words}; it must refuse it with a 4xx.${why}`)
}

/** Grades a fault of the first attempt: it must be refused, and the retry without the fault accepted. */
const refusesFirst =
  (fault: 'wrong_signature' | 'truncate', what: string): Property['run'] =>
  (session) =>
    inWorkspace(session, async (workspace) => {
      await workspace.fault(fault)
      const { event, attempts } = await workspace.deliver({ event: session.event })
      const outcome = await gradeRefusal(session, event, attempts[0], { what, mayIgnore: false })
      if (outcome.grade !== 'pass') return outcome
      await workspace.advance(session.parts.schedule.firstRetrySeconds)
      const [, retry] = await workspace.attemptsOf(event, 2)
      if (!isAccepted(retry)) return fail(`${outcome.reason} It then ${answerText(retry)} the correct retry.`)
      const { problem, done } = await session.after([event], 1)
      if (problem !== null) return fail(problem)
      if (done && done.times !== 1)
        return fail(`${outcome.reason} The work of the correct retry was done ${timesOf(done.times)}.`)
      return pass(`${outcome.reason} It accepted the correct retry.`)
    })

export const wrongSignature: Property = {
  name: 'wrong_signature',
  title: 'A delivery with a wrong signature is refused, and its correct retry is accepted',
  run: refusesFirst('wrong_signature', 'a delivery with a wrong signature'),
}

export const truncated: Property = {
  name: 'truncated',
  title: 'A truncated body is refused, the receiver stays up, and the whole retry is accepted',
  run: refusesFirst('truncate', 'a truncated body'),
}

/** Grades a delivery that must be accepted, and its work. */
const acceptsOne = (
  { attempts: [attempt], event }: { attempts: readonly Exchange[]; event: Emitted },
  session: Session,
  times: 0 | 1,
  what: string,
): Promise<Outcome> | Outcome => {
  if (!isAccepted(attempt)) return fail(`The receiver ${answerText(attempt)} ${what}.`)
  return session.after([event], times).then(({ problem, done }) => {
    const words = `The receiver ${answerText(attempt)} ${what}`
    if (problem !== null) return fail(problem)
    if (done && done.times !== times) return fail(`${words}, and did its work ${timesOf(done.times)}.`)
    return pass(`${words}.`)
  })
}

/** No interface has such an event. */
const UNKNOWN_EVENT = 'exam.unknown_event'

export const unknownEvent: Property = {
  name: 'unknown_event',
  title: 'An event with an unknown name is accepted and ignored',
  run: (session) =>
    inWorkspace(session, async (workspace) => {
      const { relay, secret } = session.parts
      const change = signedAgain(secret, withFields({ event: UNKNOWN_EVENT }))
      relay.rule = (incoming, forward) => {
        const { headers, body } = change(incoming)
        return forward({ event: UNKNOWN_EVENT, headers: { ...headers, [EVENT]: UNKNOWN_EVENT }, body })
      }
      const delivered = await workspace.deliver({ event: session.event })
      return acceptsOne(delivered, session, 0, `the event ${UNKNOWN_EVENT}`)
    }),
}

const EXTRA = { exam_extra_field: { added: 'by a later version' } }

/** Returns a function that sets fields of the envelope. */
const withFields =
  (fields: object) =>
  (body: string): string =>
    JSON.stringify({ ...(JSON.parse(body) as object), ...fields })

/** Returns a change of the body, which is signed again. */
const signedAgain =
  (secret: string, rewrite: (body: string) => string) =>
  ({ headers, body }: Incoming): Pick<Incoming, 'headers' | 'body'> => {
    const changed = rewrite(body)
    return { headers: { ...headers, [SIGNATURE]: signatureOf(secret, changed) }, body: changed }
  }

/** Adds a field to the data and to the records in them. */
const extendData = (data: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => ({
  ...Object.fromEntries(
    Object.entries(data).map(([name, value]) => [
      name,
      typeof value === 'object' && value !== null && !Array.isArray(value) && Object.hasOwn(value, 'id')
        ? { ...value, ...EXTRA }
        : value,
    ]),
  ),
  ...EXTRA,
})

export const extraField: Property = {
  name: 'extra_field',
  title: 'Fields that the receiver does not know are accepted',
  run: (session) =>
    inWorkspace(session, async (workspace) => {
      const { relay, secret } = session.parts
      const change = signedAgain(secret, withFields(EXTRA))
      relay.rule = (incoming, forward) => forward(change(incoming))
      const delivered = await workspace.deliver({ event: session.event, change: extendData })
      return acceptsOne(
        delivered,
        session,
        1,
        'an event with an unknown field in the envelope, the data and the records',
      )
    }),
}

export const otherBytes: Property = {
  name: 'other_bytes',
  title: 'The same JSON as other bytes, with their right signature, is accepted',
  run: (session) =>
    inWorkspace(session, async (workspace) => {
      const { relay, secret } = session.parts
      const change = signedAgain(secret, asOtherBytes)
      relay.rule = (incoming, forward) => forward(change(incoming))
      const delivered = await workspace.deliver({ event: session.event })
      const outcome = await acceptsOne(
        delivered,
        session,
        1,
        'an event with spaces, escaped characters, trailing zeros and another order of the keys',
      )
      const isMisread = isRefused(delivered.attempts[0])
      return isMisread
        ? fail(`${outcome.reason} Verify the bytes of the body, before you parse it.`)
        : outcome
    }),
}
