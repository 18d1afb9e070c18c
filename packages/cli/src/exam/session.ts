/** What the properties of the exam share: the simulator, the relay, and what is known about the receiver. */
import { CommandError } from '@suite-sim/kit/terminal/problem'
import { passOn, type Exchange } from './relay.ts'
import type { ExamEvent } from './samples.ts'
import { ExamWorkspace, usualTime, type Emitted, type SimulatorParts } from './simulator.ts'
import type { Done, Work } from './work.ts'

export interface Outcome {
  readonly grade: 'pass' | 'fail' | 'not judged'
  readonly reason: string
}

export const pass = (reason: string): Outcome => ({ grade: 'pass', reason })
export const fail = (reason: string): Outcome => ({ grade: 'fail', reason })
export const notJudged = (reason: string): Outcome => ({ grade: 'not judged', reason })

/** The receiver after a property: whether it still answers, and what it did. */
export interface ReceiverState {
  /** Why the receiver is no longer as it was; null if it is. */
  readonly problem: string | null
  /** null without `--observe`. */
  readonly done: Done | null
}

export class Session {
  readonly parts: SimulatorParts
  /** The events that the receiver accepts and works on, if that is visible. */
  events: readonly ExamEvent[]
  /** null without `--observe`, and if it shows no work. */
  work: Work | null = null
  /** Delivers the normal events between the properties. */
  readonly #normal: ExamWorkspace

  private constructor(parts: SimulatorParts, events: readonly ExamEvent[], normal: ExamWorkspace) {
    this.parts = parts
    this.events = events
    this.#normal = normal
  }

  static async start(parts: SimulatorParts, events: readonly ExamEvent[]): Promise<Session> {
    return new Session(parts, events, await ExamWorkspace.start(parts))
  }

  /** The event that most properties use. */
  get event(): ExamEvent {
    const [event] = this.events
    if (!event) throw new CommandError('the exam has no events')
    return event
  }

  /** Returns an event for each index: all kinds in turn. */
  eventAt(index: number): ExamEvent {
    return this.events[index % this.events.length] ?? this.event
  }

  /** Delivers an event without faults. */
  async deliverNormally(event: ExamEvent): Promise<{ event: Emitted; attempt: Exchange | undefined }> {
    this.parts.relay.rule = passOn
    // The workspace has a frozen clock, and an exam can take minutes.
    const { event: emitted, attempts } = await this.#normal.deliver({ event, at: usualTime() })
    return { event: emitted, attempt: attempts[0] }
  }

  /**
   * Delivers a normal event, which shows that the receiver still answers, and returns what was done for `events`. `expected`
   * is how often their work should be done in total. Throws a CommandError if the work can't be seen.
   */
  async after(events: readonly Emitted[], expected: number): Promise<ReceiverState> {
    let problem: string | null = null
    const mark = async (): Promise<Emitted | null> => {
      const { event, attempt } = await this.deliverNormally(this.event)
      if (isAccepted(attempt)) return event
      problem = `The receiver then ${answerText(attempt)} a normal delivery.`
      return null
    }
    const done = this.work ? await this.work.of(events, expected, mark) : (await mark(), null)
    return { problem, done }
  }
}

/** Checks for a 2xx. */
export const isAccepted = (attempt: Exchange | undefined): boolean => statusIn(attempt, 200, 299)

/** Statuses that ask the sender to try again, so that they refuse nothing. */
const TRY_AGAIN = [408, 425, 429, 503]

export const asksForRetry = (attempt: Exchange | undefined): boolean =>
  TRY_AGAIN.includes(attempt?.answer.status ?? 0)

/** Checks for a 4xx that refuses the delivery. */
export const isRefused = (attempt: Exchange | undefined): boolean =>
  statusIn(attempt, 400, 499) && !asksForRetry(attempt) && attempt?.answer.status !== GONE

/** Ends the subscription. */
const GONE = 410

const statusIn = (attempt: Exchange | undefined, first: number, last: number): boolean =>
  (attempt?.answer.status ?? 0) >= first && (attempt?.answer.status ?? 0) <= last

/** Describes an answer: "answered 500 to", with the delivery behind it. */
export function answerText(attempt: Exchange | undefined): string {
  if (!attempt) return 'never got'
  const { status, error } = attempt.answer
  if (status === null) return `gave no answer (${error ?? 'no reason'}) to`
  return status === GONE ? 'answered 410, which ends the subscription, to' : `answered ${String(status)} to`
}
