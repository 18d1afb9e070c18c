/** What is steered within a workspace: its clock, records, faults, subscriptions, snapshots, keys and users. */
import type { Body, Query, Schema } from './calling.ts'
import type { Section } from './control.ts'
import { Part } from './part.ts'
import { DEFAULT_TIMEOUT, waitUntil } from './waiting.ts'

export class Clock extends Part {
  get(): Promise<Schema<'Clock'>> {
    return this.calling.call('getClock', { path: { id: this.id } })
  }

  /** What falls due next, by kind of job, the earliest first. */
  async due(): Promise<Schema<'DueJob'>[]> {
    return (await this.calling.call('listDue', { path: { id: this.id } })).data
  }

  /** Sets it, lets it stand still, or lets it run; what falls due by then happens in order. */
  set(change: Schema<'ClockChange'>): Promise<Schema<'Clock'>> {
    return this.calling.call('setClock', { path: { id: this.id }, body: change })
  }

  /** Lets it stand still where it is, or at a moment. */
  freeze(now?: string): Promise<Schema<'Clock'>> {
    return this.set({ frozen: true, ...(now !== undefined && { now }) })
  }

  /**
   * Moves it on by an ISO 8601 duration, "PT1H". Answers once all that falls due on the way has happened, and the webhooks
   * that it makes due have been sent, or `waitMs` have gone by (5,000).
   */
  advance(duration: string, options: Omit<Schema<'Advance'>, 'duration'> = {}): Promise<Schema<'Advanced'>> {
    return this.calling.call('advanceClock', { path: { id: this.id }, body: { duration, ...options } })
  }
}

export interface Condition {
  /** "status:paid": a field of the record, and the value that it is to hold. */
  readonly until: `${string}:${string}`
  /** Seconds after which the wait is given up; 10 unless told otherwise. */
  readonly timeout?: number
}

export class Records extends Part {
  /** The sets of records, with how many each holds. */
  async sections(): Promise<Schema<'RecordSection'>[]> {
    return (await this.calling.call('listRecordSections', { path: { id: this.id } })).data
  }

  /** A page of the records of a set: "payments.links". */
  list(section: Section, query: Query<'listRecords'> = {}): Promise<Schema<'RecordPage'>> {
    return this.calling.call('listRecords', { path: { id: this.id, section }, query })
  }

  /** One with its state, its next moves and its history. */
  get(section: Section, recordId: string): Promise<Schema<'RecordWithState'>> {
    return this.calling.call('getRecord', { path: { id: this.id, section, recordId } })
  }

  /** One, the instant that a field of it holds a value. */
  wait(
    section: Section,
    recordId: string,
    { until, timeout = DEFAULT_TIMEOUT, ...unknown }: Condition,
  ): Promise<Schema<'RecordWithState'>> {
    const [field = ''] = until.split(':', 1)
    const value = until.slice(field.length + 1)
    const valueOf = ({ record }: Schema<'RecordWithState'>): string => String(record[field])
    return waitUntil(
      timeout,
      (wait) =>
        this.calling.call('getRecord', {
          path: { id: this.id, section, recordId },
          // The server refuses names that it does not know.
          query: { ...unknown, until, wait },
        }),
      (found) => valueOf(found) === value,
      (found) =>
        `Waited ${String(timeout)} s for ${field} of ${section} ${recordId} to be ${value}; it is ${valueOf(found)}.`,
    )
  }
}

export class Faults extends Part {
  /** Has the calls, or the deliveries, that it names go wrong: `{interface: 'catalog', status: 503, times: 2}`. */
  add(fault: Body<'createFault'>): Promise<Schema<'Fault'>> {
    return this.calling.call('createFault', { path: { id: this.id }, body: fault })
  }

  async list(): Promise<Schema<'Fault'>[]> {
    return (await this.calling.call('listFaults', { path: { id: this.id } })).data
  }

  async delete(faultId: string): Promise<void> {
    await this.calling.call('deleteFault', { path: { id: this.id, faultId } })
  }

  /** Takes all of them away. */
  async clear(): Promise<void> {
    await this.calling.call('deleteFaults', { path: { id: this.id } })
  }
}

export class Subscriptions extends Part {
  /** Its secret signs what is sent to it. */
  create(subscription: Body<'createSubscription'>): Promise<Schema<'CreatedSubscription'>> {
    return this.calling.call('createSubscription', { path: { id: this.id }, body: subscription })
  }

  /** Those of all interfaces. */
  async list(): Promise<Schema<'Subscription'>[]> {
    return (await this.calling.call('listSubscriptions', { path: { id: this.id } })).data
  }

  async delete(subscriptionId: string): Promise<void> {
    await this.calling.call('deleteSubscription', { path: { id: this.id, subscriptionId } })
  }
}

/** Snapshots that the server keeps under names, and the one that is taken along. */
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

  /** All records, as a fixture file holds them. */
  get(): Promise<Schema<'Snapshot'>> {
    return this.calling.call('getSnapshot', { path: { id: this.id } })
  }

  /** Puts records in the place of those that are there, all or none. */
  async put(snapshot: Schema<'Snapshot'>): Promise<void> {
    await this.calling.call('putSnapshot', { path: { id: this.id }, body: snapshot })
  }
}

export class WorkspaceKeys extends Part {
  /** One with fewer scopes or interfaces, of another user, or that expires. */
  create(options: Omit<Body<'createKey'>, 'workspaceId'> = {}): Promise<Schema<'Key'>> {
    return this.calling.call('createKey', { body: { workspaceId: this.id, ...options } })
  }

  async list(): Promise<Schema<'Key'>[]> {
    return (await this.calling.call('listKeys', { query: { workspaceId: this.id } })).data
  }

  async delete(key: string): Promise<void> {
    await this.calling.call('deleteKey', { path: { key } })
  }
}

export class Users extends Part {
  create(user: Schema<'UserCreate'>): Promise<Schema<'User'>> {
    return this.calling.call('createUser', { path: { id: this.id }, body: user })
  }
}
