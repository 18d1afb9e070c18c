/** What a workspace has sent, and what was asked of it: deliveries, e-mails and the journal of calls. */
import type { Calling, Query, Schema } from './calling.ts'
import type { Events } from './control.ts'
import { Part } from './part.ts'
import { waitForRows, type Patience } from './waiting.ts'

/** The name of an event: the documented ones are known, any other text will do. */
export type EventName = Events[keyof Events] | (string & {})

/** Everything of a list's query but how it waits. */
type FilterOf<Id extends 'listDeliveries' | 'listEmails' | 'listRequests'> = Omit<
  Query<Id>,
  'wait' | 'count' | 'limit' | 'event'
>

export interface Limit {
  /** How many at most, the newest; 25 unless told otherwise, 1,000 at most. */
  readonly limit?: number
}

export type DeliveryFilter = FilterOf<'listDeliveries'> & { readonly event?: EventName }
export type EmailFilter = FilterOf<'listEmails'>
export type RequestFilter = FilterOf<'listRequests'>

/** Webhooks that were sent and are owed. */
export class Deliveries extends Part {
  /** The newest first. */
  async list(filter: DeliveryFilter & Limit = {}): Promise<Schema<'Delivery'>[]> {
    return (await this.calling.call('listDeliveries', { path: { id: this.id }, query: filter })).data
  }

  /** Answers the instant that `count` were delivered, or have the `status` that is named; the newest first. */
  wait({ count, timeout, status = 'delivered', ...rest }: DeliveryFilter & Patience = {}): Promise<
    Schema<'Delivery'>[]
  > {
    const filter = { status, ...rest }
    const ask = (patience: object): Promise<Schema<'Delivery'>[]> => this.list({ ...filter, ...patience })
    return waitForRows(defined({ count, timeout }), ask, 'deliveries', filter)
  }

  /** Sends one again, on a fresh schedule. */
  async redeliver(deliveryId: string): Promise<void> {
    await this.calling.call('redeliver', { path: { id: this.id, deliveryId } })
  }
}

/** Messages that the suite would have sent. */
export class Emails extends Part {
  /** The newest first. */
  async list(filter: EmailFilter & Limit = {}): Promise<Schema<'Email'>[]> {
    return (await this.calling.call('listEmails', { path: { id: this.id }, query: filter })).data
  }

  /** Answers the instant that `count` are there, the newest first. */
  wait({ count, timeout, ...filter }: EmailFilter & Patience = {}): Promise<Schema<'Email'>[]> {
    const ask = (patience: object): Promise<Schema<'Email'>[]> => this.list({ ...filter, ...patience })
    return waitForRows(defined({ count, timeout }), ask, 'e-mails', filter)
  }

  /** One whole, with its HTML. */
  get(emailId: string): Promise<Schema<'WholeEmail'>> {
    return this.calling.call('getEmail', { path: { id: this.id, emailId } })
  }

  /** One as mail programs read it (RFC 822). */
  eml(emailId: string): Promise<string> {
    return this.calling.call('getEmailFile', { path: { id: this.id, emailId } })
  }

  /** The bytes of an attachment; `index` counts from 0. */
  attachment(emailId: string, index: number): Promise<Uint8Array> {
    return this.calling.bytes('getEmailAttachment', { path: { id: this.id, emailId, index } })
  }
}

/** `{assumed: true}`: with what the specification leaves open about the operation. */
export interface HintOptions {
  readonly assumed?: boolean
}

/** The journal: call it to list, the newest first. */
export interface Requests {
  (filter?: RequestFilter & Limit): Promise<Schema<'JournalEntry'>[]>
  /** Answers the instant that `count` were made, the newest first. */
  wait(filter?: RequestFilter & Patience): Promise<Schema<'JournalEntry'>[]>
  /** One with hints, and with what followed from it. */
  get(requestId: string, options?: HintOptions): Promise<Schema<'WholeJournalEntry'>>
  /** One as a command for a shell. */
  curl(requestId: string): Promise<string>
  /** One as an HTTP archive (HAR 1.2). */
  har(requestId: string): Promise<Record<string, unknown>>
  /** Empties the journal. */
  clear(): Promise<void>
}

export function requestsOf(calling: Calling, id: string): Requests {
  const list = async (filter: RequestFilter & Limit = {}): Promise<Schema<'JournalEntry'>[]> =>
    (await calling.call('listRequests', { path: { id }, query: filter })).data
  const textOf = async (requestId: string, as: 'curl' | 'har'): Promise<string> => {
    const response = await calling.send('getRequest', { path: { id, requestId }, query: { as } })
    return response.text()
  }
  return Object.assign(list, {
    wait: ({ count, timeout, ...filter }: RequestFilter & Patience = {}) =>
      waitForRows(
        defined({ count, timeout }),
        (patience) => list({ ...filter, ...patience }),
        'requests',
        filter,
      ),
    get: (requestId: string, options: HintOptions = {}) =>
      calling.call('getRequest', { path: { id, requestId }, query: options }),
    curl: (requestId: string) => textOf(requestId, 'curl'),
    har: async (requestId: string) => JSON.parse(await textOf(requestId, 'har')) as Record<string, unknown>,
    clear: async () => {
      await calling.call('deleteRequests', { path: { id } })
    },
  })
}

/** Without the fields that are undefined. */
const defined = (patience: {
  readonly count: number | undefined
  readonly timeout: number | undefined
}): Patience => ({
  ...(patience.count !== undefined && { count: patience.count }),
  ...(patience.timeout !== undefined && { timeout: patience.timeout }),
})
