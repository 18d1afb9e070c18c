/** The parts of a workspace: clock, records, faults, subscriptions, snapshots, keys and users. */
import type { Body, Query, Schema } from './calling.ts'
import type { Section } from './generated/control.ts'
import { counted } from '@suite-sim/kit/text/counted'
import { checkOptions, limitArguments } from './checking.ts'
import type { EventName } from './messages.ts'
import { Part } from './part.ts'
import { DEFAULT_TIMEOUT, waitUntil, type Patience } from './waiting.ts'

export class Clock extends Part {
  get(): Promise<Schema<'Clock'>> {
    return this.calling.call('getClock', { path: { id: this.id } })
  }

  /** Lists the next due jobs by kind, earliest first. */
  async due(): Promise<Schema<'DueJob'>[]> {
    return (await this.calling.call('listDue', { path: { id: this.id } })).data
  }

  /** Sets, freezes or unfreezes the clock. Jobs that become due run in order. */
  set(change: Schema<'ClockChange'>): Promise<Schema<'Clock'>> {
    return this.calling.call('setClock', { path: { id: this.id }, body: change })
  }

  /** Freezes the clock at its current time, or at another one. */
  freeze(now?: string): Promise<Schema<'Clock'>> {
    return this.set({ frozen: true, ...(now !== undefined && { now }) })
  }

  /**
   * Advances the clock by an ISO 8601 duration, "PT1H". Returns when the due jobs have run and the due
   * webhooks were sent, or after `waitMs` (5,000).
   */
  advance(duration: string, options: Omit<Schema<'Advance'>, 'duration'> = {}): Promise<Schema<'Advanced'>> {
    return this.calling.call('advanceClock', { path: { id: this.id }, body: { duration, ...options } })
  }
}

export interface Condition {
  /** "status:paid": a field of the record, and its expected value. */
  readonly until: `${string}:${string}`
  /** The timeout in seconds; 10 by default. */
  readonly timeout?: number
}

export class Records extends Part {
  /** Lists the sets of records with their sizes. */
  async sections(): Promise<Schema<'RecordSection'>[]> {
    return (await this.calling.call('listRecordSections', { path: { id: this.id } })).data
  }

  /** Returns a page of a set: "payments.links". */
  list(section: Section, query: Query<'listRecords'> = {}): Promise<Schema<'RecordPage'>> {
    return this.calling.call('listRecords', { path: { id: this.id, section }, query })
  }

  /** Finds records by id, key or title in all sections: `{text: 'desk'}`. */
  async find(query: Query<'findRecords'>): Promise<Schema<'FoundRecord'>[]> {
    return (await this.calling.call('findRecords', { path: { id: this.id }, query })).data
  }

  /** Returns a record with its state, its next moves and its history. */
  get(section: Section, recordId: string): Promise<Schema<'RecordWithState'>> {
    return this.calling.call('getRecord', { path: { id: this.id, section, recordId } })
  }

  /** Returns a record as soon as a field has a value. */
  async wait(section: Section, recordId: string, condition: Condition): Promise<Schema<'RecordWithState'>> {
    checkOptions('records.wait()', condition, ['until', 'timeout'])
    const { until, timeout = DEFAULT_TIMEOUT } = condition
    if (typeof until !== 'string') {
      throw new TypeError('records.wait() needs until, a field and its value: "status:paid"')
    }
    const [field = ''] = until.split(':', 1)
    const value = until.slice(field.length + 1)
    const valueOf = ({ record }: Schema<'RecordWithState'>): string => String(record[field])
    return waitUntil(
      timeout,
      (wait) =>
        this.calling.call('getRecord', {
          path: { id: this.id, section, recordId },
          query: { until, wait },
        }),
      (found) => valueOf(found) === value,
      (found) =>
        `Waited ${String(timeout)} s for ${field} of ${section} ${recordId} to be ${value}; it is ${valueOf(found)}.`,
    )
  }
}

export class Faults extends Part {
  /** Injects a fault into calls or deliveries: `{interface: 'catalog', status: 503, times: 2}`. */
  add(fault: Body<'createFault'>): Promise<Schema<'Fault'>> {
    return this.calling.call('createFault', { path: { id: this.id }, body: fault })
  }

  async list(): Promise<Schema<'Fault'>[]> {
    return (await this.calling.call('listFaults', { path: { id: this.id } })).data
  }

  /** Returns a fault, and with `hold` the calls that wait for it. */
  get(faultId: string): Promise<Schema<'Fault'>> {
    return this.calling.call('getFault', { path: { id: this.id, faultId } })
  }

  /** Returns the calls that a fault with `hold` lets wait, as soon as there are `count`. */
  async wait(faultId: string, patience: Patience = {}): Promise<Schema<'HeldCall'>[]> {
    checkOptions('faults.wait()', patience, ['count', 'timeout'])
    const { count = 1, timeout = DEFAULT_TIMEOUT } = patience
    const heldBy = ({ waiting = [] }: Schema<'Fault'>): Schema<'HeldCall'>[] => waiting
    const found = await waitUntil(
      timeout,
      (wait) => this.calling.call('getFault', { path: { id: this.id, faultId }, query: { wait, count } }),
      (fault) => heldBy(fault).length >= count,
      (fault) =>
        `Waited ${String(timeout)} s for ${counted(count, 'call')} that ${faultId} holds; it holds ${String(heldBy(fault).length)}.`,
    )
    return heldBy(found)
  }

  /** Lets calls go on that a fault with `hold` lets wait: all, the first `count`, or `calls` in this order. */
  release(faultId: string, which: Schema<'FaultRelease'> = {}): Promise<Schema<'FaultReleased'>> {
    return this.calling.call('releaseCalls', { path: { id: this.id, faultId }, body: which })
  }

  async delete(faultId: string): Promise<void> {
    await this.calling.call('deleteFault', { path: { id: this.id, faultId } })
  }

  /** Deletes all faults. */
  async clear(): Promise<void> {
    await this.calling.call('deleteFaults', { path: { id: this.id } })
  }
}

/** A subscription to events by name, or to all with "*", the default. */
export type NewSubscription = Omit<Body<'createSubscription'>, 'events'> & {
  readonly events?: readonly ('*' | EventName)[]
}

export class Subscriptions extends Part {
  /** Creates a subscription; its secret signs the deliveries. */
  create(subscription: NewSubscription): Promise<Schema<'CreatedSubscription'>> {
    const body = subscription as Body<'createSubscription'>
    return this.calling.call('createSubscription', { path: { id: this.id }, body })
  }

  /** Lists the subscriptions of all interfaces. */
  async list(): Promise<Schema<'Subscription'>[]> {
    return (await this.calling.call('listSubscriptions', { path: { id: this.id } })).data
  }

  async delete(subscriptionId: string): Promise<void> {
    await this.calling.call('deleteSubscription', { path: { id: this.id, subscriptionId } })
  }
}

/** Snapshots: named ones on the server, and the current records. */
export class Snapshots extends Part {
  save(name: string): Promise<Schema<'SavedSnapshot'>> {
    return this.calling.call('saveSnapshot', { path: { id: this.id }, body: { name } })
  }

  async list(): Promise<Schema<'SavedSnapshot'>[]> {
    return (await this.calling.call('listSnapshots', { path: { id: this.id } })).data
  }

  async restore(name: string): Promise<void> {
    await this.calling.call('restoreSnapshot', { path: { id: this.id, name } })
  }

  async delete(name: string): Promise<void> {
    await this.calling.call('deleteSnapshot', { path: { id: this.id, name } })
  }

  /** Returns all records in the format of a fixture file. */
  get(): Promise<Schema<'Snapshot'>> {
    return this.calling.call('getSnapshot', { path: { id: this.id } })
  }

  /** Replaces all records; all or none. */
  async put(snapshot: Schema<'Snapshot'>): Promise<void> {
    await this.calling.call('putSnapshot', { path: { id: this.id }, body: snapshot })
  }
}

export class Recordings extends Part {
  async list(): Promise<Schema<'Recording'>[]> {
    return (await this.calling.call('listRecordings', { path: { id: this.id } })).data
  }

  get(recordingId: string): Promise<Schema<'Recording'>> {
    return this.calling.call('getRecording', { path: { id: this.id, recordingId } })
  }

  /** Stops a recording, and returns its file; that of a stopped one again. */
  stop(recordingId: string): Promise<Schema<'RecordingFile'>> {
    return this.calling.call('stopRecording', { path: { id: this.id, recordingId } })
  }

  async delete(recordingId: string): Promise<void> {
    await this.calling.call('deleteRecording', { path: { id: this.id, recordingId } })
  }
}

/** A recording that was started here. */
export class StartedRecording {
  readonly id: string
  readonly name: string
  readonly #recordings: Recordings

  constructor(recordings: Recordings, { id, name }: Schema<'Recording'>) {
    this.#recordings = recordings
    this.id = id
    this.name = name
  }

  /** Returns its status and its number of steps. */
  get(): Promise<Schema<'Recording'>> {
    return this.#recordings.get(this.id)
  }

  /** Stops it, and returns the file for `suite-sim replay`. */
  stop(): Promise<Schema<'RecordingFile'>> {
    return this.#recordings.stop(this.id)
  }

  /** Deletes it, also while it is running. */
  delete(): Promise<void> {
    return this.#recordings.delete(this.id)
  }
}

export class WorkspaceKeys extends Part {
  /** Creates a key, which can have fewer scopes or interfaces, another user, or an expiry. */
  create(options: Body<'createWorkspaceKey'> = {}): Promise<Schema<'Key'>> {
    return this.calling.call('createWorkspaceKey', { path: { id: this.id }, body: options })
  }

  async list(): Promise<Schema<'Key'>[]> {
    return (await this.calling.call('listWorkspaceKeys', { path: { id: this.id } })).data
  }

  async delete(key: string): Promise<void> {
    await this.calling.call('deleteWorkspaceKey', { path: { id: this.id, key } })
  }
}

export class Users extends Part {
  create(user: Schema<'UserCreate'>): Promise<Schema<'User'>> {
    return this.calling.call('createUser', { path: { id: this.id }, body: user })
  }
}

limitArguments('clock', Clock.prototype, { get: 0, due: 0, set: 1, freeze: 1, advance: 2 })
limitArguments('records', Records.prototype, { sections: 0, list: 2, find: 1, get: 2, wait: 3 })
limitArguments('faults', Faults.prototype, {
  add: 1,
  list: 0,
  get: 1,
  wait: 2,
  release: 2,
  delete: 1,
  clear: 0,
})
limitArguments('subscriptions', Subscriptions.prototype, { create: 1, list: 0, delete: 1 })
limitArguments('snapshots', Snapshots.prototype, { save: 1, list: 0, restore: 1, delete: 1, get: 0, put: 1 })
limitArguments('recordings', Recordings.prototype, { list: 0, get: 1, stop: 1, delete: 1 })
limitArguments('recording', StartedRecording.prototype, { get: 0, stop: 0, delete: 0 })
limitArguments('keys', WorkspaceKeys.prototype, { create: 1, list: 0, delete: 1 })
limitArguments('users', Users.prototype, { create: 1 })
