/** Examines a receiver: all properties in turn. */
import { counted } from '@suite-sim/kit/text/counted'
import { buildApp, describeSchedule, type App } from '../../../../src/index.ts'
import { nearestName } from '@suite-sim/kit/text/nearestName'
import { INTERFACE_NAMES } from '@suite-sim/kit/interfaceNames'
import { CommandError, UsageError } from '@suite-sim/kit/terminal/problem'
import type { Observer } from './observers.ts'
import type { ExamHooks } from './options.ts'
import { burst, EVENTS_AT_ONCE, lostAnswer, outage } from './outages.ts'
import {
  duplicates,
  extraField,
  otherBytes,
  reordering,
  stale,
  truncated,
  unknownEvent,
  wrongSignature,
  type Property,
} from './properties.ts'
import { Relay, type Exchange } from './relay.ts'
import { fail, isAccepted, isRefused, notJudged, pass, answerText, Session, type Outcome } from './session.ts'
import type { ExamEvent } from './samples.ts'
import { publishedEvents, type Emitted, type SimulatorParts } from './simulator.ts'
import { Work, type Pace } from './work.ts'

export interface Examination extends ExamHooks {
  readonly receiver: string
  readonly interface: string
  /** All events of the interface by default. */
  readonly events?: readonly string[] | undefined
  readonly secret: string
  readonly observer: Observer | null
  /** The time that the receiver has for an answer. */
  readonly timeoutMs: number
  /** Shorter waits, for a receiver that is known to be fast. */
  readonly pace?: Pace
  /** Fewer events of the burst. */
  readonly eventsAtOnce?: number
}

export interface PropertyResult extends Outcome {
  readonly name: string
  readonly title: string
  readonly exchanges: readonly Exchange[]
}

export interface ExamResult {
  readonly events: readonly string[]
  readonly properties: readonly PropertyResult[]
  /** Why the work of the receiver could no longer be seen during the exam; null if it could, or without an observer. */
  readonly observeError: string | null
}

/** A receiver that a truncated body ends can't be examined any further, so this property is the last. */
export const PROPERTIES: readonly Property[] = [
  duplicates,
  reordering,
  stale,
  wrongSignature,
  unknownEvent,
  extraField,
  otherBytes,
  lostAnswer,
  outage,
  burst,
  truncated,
]

const NORMAL = { name: 'normal', title: 'Normal events are accepted' }

export async function examine(options: Examination): Promise<ExamResult> {
  options.signal?.throwIfAborted()
  mustBeInterface(options.interface)
  const app = await simulatorFor(options)
  try {
    return await examineWith(app, options)
  } finally {
    await app.close()
  }
}

/** Starts the simulator of an exam. */
export const simulatorFor = ({ timeoutMs }: Pick<Examination, 'timeoutMs'>): Promise<App> =>
  // An older event waits until the newer one has been answered.
  buildApp({ fixtures: 'none', rateLimits: false, webhookTimeoutMs: 2 * timeoutMs + 5000 })

/** Examines with a simulator that goes on. */
export async function examineWith(app: App, options: Examination): Promise<ExamResult> {
  const { receiver, interface: of, secret, observer, timeoutMs, signal } = options
  const { eventsAtOnce = EVENTS_AT_ONCE } = options
  const relay = new Relay(receiver, timeoutMs)
  try {
    const events = await eventsOf(app, options)
    // The first observation fails early if the URL is wrong.
    const work = observer && (await Work.start(observer, options.pace))
    const relayUrl = await relay.listen()
    await app.fastify.ready()
    const schedule = describeSchedule((await app.published(of)).definition.schedule)
    const parts = { app, relay, relayUrl, interface: of, schedule, secret, eventsAtOnce }
    const results = await untilAborted(run(parts, events, work, options), signal)
    return { events: events.map(({ name }) => name), ...results }
  } finally {
    await relay.close()
  }
}

/** Rejects with the reason of the signal as soon as it is aborted. */
function untilAborted<Result>(work: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  if (!signal) return work
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      reject(signal.reason as Error)
    }
    signal.addEventListener('abort', abort)
    work.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', abort)
    })
    if (signal.aborted) abort()
  })
}

async function run(
  parts: SimulatorParts,
  events: readonly ExamEvent[],
  work: Work | null,
  { onProgress, signal }: ExamHooks,
): Promise<Omit<ExamResult, 'events'>> {
  const { relay } = parts
  const session = await Session.start(parts, events)
  const results: PropertyResult[] = []
  const add = async ({ name, title }: Pick<Property, 'name' | 'title'>, grade: () => Promise<Outcome>) => {
    signal?.throwIfAborted()
    onProgress?.({ property: name, done: results.length, total: PROPERTIES.length + 1 })
    const exchanges: Exchange[] = (relay.exchanges = [])
    const words = typeof title === 'string' ? title : title(parts.schedule)
    results.push({ name, title: words, ...(await grade()), exchanges })
  }
  let blocked: string | null = null
  let observeError: string | null = null
  await add(NORMAL, async () => {
    const outcome = await examineNormal(session, work)
    if (session.events.length === 0) blocked = 'No normal event was accepted.'
    return outcome
  })
  for (const property of PROPERTIES) {
    await add(property, async () => {
      if (blocked !== null) return notJudged(blocked)
      let outcome: Outcome | null = null
      try {
        outcome = await property.run(session)
        // Deliveries of a failed property may have left work that the next one must not count.
        if (outcome.grade === 'fail') blocked = (await session.after([], 0)).problem
        return outcome
      } catch (error) {
        if (!(error instanceof CommandError)) throw error
        // The receiver may be right, and only its observation is broken.
        blocked = observeError = `The work of the receiver can't be seen: ${error.message}.`
        return outcome ?? notJudged(blocked)
      }
    })
  }
  return { properties: results, observeError }
}

/** Delivers each event once, and finds out which ones to continue with. */
async function examineNormal(session: Session, work: Work | null): Promise<Outcome> {
  const accepted = new Map<ExamEvent, Emitted>()
  const others: string[] = []
  let hint = ''
  for (const event of session.events) {
    const { event: emitted, attempt } = await session.deliverNormally(event)
    if (isAccepted(attempt)) accepted.set(event, emitted)
    else others.push(`${answerText(attempt)} ${event.name}`)
    if (isRefused(attempt)) hint = ' Does it verify with the secret of --secret?'
    // No server listens there.
    if (attempt?.answer.status === null && accepted.size === 0) break
  }
  session.events = [...accepted.keys()]
  if (others.length > 0) return fail(`The receiver ${others.slice(0, 3).join(', ')}.${hint}`)
  const acceptedText = `${counted(accepted.size, 'event')} ${accepted.size === 1 ? 'was' : 'were'} accepted`
  if (!work) return pass(`${acceptedText}.`)
  const event = await work.chooseEvent(accepted, async (each) => (await session.deliverNormally(each)).event)
  if (event === null) return fail('The receiver accepted all events, but --observe shows no work.')
  session.work = work
  session.events = [event, ...session.events.filter((each) => each !== event && work.shows(each))]
  return pass(`${acceptedText}; --observe shows the work.`)
}

function mustBeInterface(name: string): void {
  if (INTERFACE_NAMES.some((each) => each === name)) return
  const near = nearestName(name, INTERFACE_NAMES)
  const hint = near === null ? `the interfaces are ${INTERFACE_NAMES.join(', ')}` : `did you mean ${near}?`
  throw new UsageError(`--interface: there is no interface '${name}'; ${hint}`)
}

async function eventsOf(app: App, options: Examination): Promise<readonly ExamEvent[]> {
  const all = await publishedEvents(app, options.interface)
  if (!options.events) return all
  const names = all.map(({ name }) => name)
  return [...new Set(options.events)].map((wanted) => {
    const found = all.find(({ name }) => name === wanted)
    if (found) return found
    const near = nearestName(wanted, names)
    const hint = near === null ? `its events are ${names.join(', ')}` : `did you mean ${near}?`
    throw new UsageError(`--events: ${options.interface} has no event '${wanted}'; ${hint}`)
  })
}
