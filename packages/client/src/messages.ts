/** The messages of a workspace: deliveries, received webhooks, e-mails and the request journal. */
import type { ControlPlaneClient, Schema } from './calling.ts'
import type { INTERFACES, Section } from './generated/control.ts'
import { limitArguments } from './checking.ts'
import type { FilterOf, Limit, RequestFilter } from './filters.ts'
import { Part } from './part.ts'
import { JOURNAL_LENGTH, verifyRequests, type Verification } from './verifying.ts'
import { waitForRows, type Patience } from './waiting.ts'

export type { EventName } from './generated/control.ts'

/** A section of the records, or all of an interface; others are allowed for servers that have more. */
export type SectionName = Section | keyof typeof INTERFACES | (string & {})

export type DeliveryFilter = FilterOf<'listDeliveries'>
export type RedeliveryFilter = Schema<'Redelivery'>
export type EmailFilter = FilterOf<'listEmails'>
export type InboxFilter = FilterOf<'listInbox'>

/** The maximum number of rows of an answer. */
const MAX_COUNT = 1000

/** Webhook deliveries, sent and pending. */
export class Deliveries extends Part {
  /** Lists deliveries, newest first. */
  async list(filter: DeliveryFilter & Limit = {}): Promise<Schema<'Delivery'>[]> {
    return (await this.calling.call('listDeliveries', { path: { id: this.id }, query: filter })).data
  }

  /** Returns as soon as `count` deliveries are delivered, or have the given `status`; newest first. */
  wait({ count, timeout, status = 'delivered', ...rest }: DeliveryFilter & Patience = {}): Promise<
    Schema<'Delivery'>[]
  > {
    const filter = { status, ...rest }
    return waitForRows(
      { count, timeout },
      (patience) =>
        this.calling.call('listDeliveries', { path: { id: this.id }, query: { ...filter, ...patience } }),
      'delivery',
      filter,
    )
  }

  /**
   * Returns why deliveries are missing that a test expects: what is pending, which attempt failed, that nobody is
   * subscribed, or that no event has occurred. A wait that fails says the same.
   */
  async explain({ status = 'delivered', ...rest }: DeliveryFilter = {}): Promise<string | null> {
    const query = { status, ...rest, wait: 0, count: MAX_COUNT, limit: MAX_COUNT }
    const { explanation = null } = await this.calling.call('listDeliveries', { path: { id: this.id }, query })
    return explanation
  }

  /** Delivers a sample of an event that did not occur: `{interface: 'pos', event: 'sale.completed'}`. */
  sample(event: Schema<'SampleEvent'>): Promise<Schema<'SentSample'>> {
    return this.calling.call('deliverSample', { path: { id: this.id }, body: event })
  }

  /** Sends a delivery again, with a new retry schedule. */
  async redeliver(deliveryId: string): Promise<void> {
    await this.calling.call('redeliver', { path: { id: this.id, deliveryId } })
  }

  /** Sends all dead deliveries that match again, or those with the given `status`. Returns their number. */
  async redeliverAll(filter: RedeliveryFilter = {}): Promise<number> {
    return (await this.calling.call('redeliverAll', { path: { id: this.id }, body: filter })).count
  }
}

/** The webhooks that the built-in receiver of the server got. */
export class Inbox extends Part {
  /** Lists received webhooks, newest first. */
  async list(filter: InboxFilter & Limit = {}): Promise<Schema<'InboxEntry'>[]> {
    return (await this.calling.call('listInbox', { path: { id: this.id }, query: filter })).data
  }

  /** Returns as soon as `count` webhooks were received, newest first. */
  wait({ count, timeout, ...filter }: InboxFilter & Patience = {}): Promise<Schema<'InboxEntry'>[]> {
    return waitForRows(
      { count, timeout },
      (patience) =>
        this.calling.call('listInbox', { path: { id: this.id }, query: { ...filter, ...patience } }),
      'received webhook',
      filter,
    )
  }

  /** Deletes all entries. */
  async clear(): Promise<void> {
    await this.calling.call('clearInbox', { path: { id: this.id } })
  }
}

/** E-mails that the suite would have sent. */
export class Emails extends Part {
  /** Lists e-mails, newest first. */
  async list(filter: EmailFilter & Limit = {}): Promise<Schema<'Email'>[]> {
    return (await this.calling.call('listEmails', { path: { id: this.id }, query: filter })).data
  }

  /** Returns as soon as `count` e-mails exist, newest first. */
  wait({ count, timeout, ...filter }: EmailFilter & Patience = {}): Promise<Schema<'Email'>[]> {
    return waitForRows(
      { count, timeout },
      (patience) =>
        this.calling.call('listEmails', { path: { id: this.id }, query: { ...filter, ...patience } }),
      'e-mail',
      filter,
    )
  }

  /** Returns a whole e-mail with its HTML. */
  get(emailId: string): Promise<Schema<'WholeEmail'>> {
    return this.calling.call('getEmail', { path: { id: this.id, emailId } })
  }

  /** Returns an e-mail in the format of mail programs (RFC 822). */
  eml(emailId: string): Promise<string> {
    return this.calling.call('getEmailFile', { path: { id: this.id, emailId } })
  }

  /** Returns the bytes of an attachment; `index` counts from 0. */
  attachment(emailId: string, index: number): Promise<Uint8Array> {
    return this.calling.bytes('getEmailAttachment', { path: { id: this.id, emailId, index } })
  }
}

limitArguments('deliveries', Deliveries.prototype, {
  list: 1,
  wait: 1,
  explain: 1,
  sample: 1,
  redeliver: 1,
  redeliverAll: 1,
})
limitArguments('inbox', Inbox.prototype, { list: 1, wait: 1, clear: 0 })
limitArguments('emails', Emails.prototype, { list: 1, wait: 1, get: 1, eml: 1, attachment: 2 })

/** `{assumed: true}` adds what the specification leaves open about the operation. */
export interface HintOptions {
  readonly assumed?: boolean
}

/** The request journal. Call it to list requests, newest first. */
export interface Requests {
  (filter?: RequestFilter & Limit): Promise<Schema<'JournalEntry'>[]>
  /** Returns as soon as `count` requests were made, newest first. */
  wait(filter?: RequestFilter & Patience): Promise<Schema<'JournalEntry'>[]>
  /** Returns a request with its hints and effects. */
  get(requestId: string, options?: HintOptions): Promise<Schema<'WholeJournalEntry'>>
  /** Returns a request as a shell command. */
  curl(requestId: string): Promise<string>
  /** Returns a request, or all of the journal that match, as an HTTP archive (HAR 1.2). */
  har(requestId: string): Promise<Record<string, unknown>>
  har(filter?: RequestFilter & Limit): Promise<Record<string, unknown>>
  /**
   * Checks that the calls were made: `await workspace.requests.verify({method: 'POST', path: '/payment-links', body:
   * {amount: 1250}, times: 1})`. Returns them, newest first, or throws with the nearest calls.
   */
  verify(expected?: Verification): Promise<Schema<'JournalEntry'>[]>
  /** Deletes all entries. */
  clear(): Promise<void>
}

/** Lists the newest calls without a workspace; none for a client that may not see them. */
const unmatchedCalls = async (calling: ControlPlaneClient): Promise<Schema<'UnmatchedJournalEntry'>[]> =>
  calling.call('listUnmatchedRequests', { query: { unmatched: true, limit: 3 } }).then(
    ({ data }) => data,
    () => [],
  )

export function requestsOf(calling: ControlPlaneClient, id: string): Requests {
  const list = async (filter: RequestFilter & Limit = {}): Promise<Schema<'JournalEntry'>[]> =>
    (await calling.call('listRequests', { path: { id }, query: filter })).data
  const textOf = async (requestId: string, as: 'curl' | 'har'): Promise<string> => {
    const response = await calling.send('getRequest', { path: { id, requestId }, query: { as } })
    return response.text()
  }
  const requests = Object.assign(list, {
    wait: ({ count, timeout, ...filter }: RequestFilter & Patience = {}) =>
      waitForRows(
        { count, timeout },
        (patience) => calling.call('listRequests', { path: { id }, query: { ...filter, ...patience } }),
        'request',
        filter,
      ),
    get: (requestId: string, options: HintOptions = {}) =>
      calling.call('getRequest', { path: { id, requestId }, query: options }),
    curl: (requestId: string) => textOf(requestId, 'curl'),
    har: async (of: string | (RequestFilter & Limit) = {}) => {
      if (typeof of === 'string') return JSON.parse(await textOf(of, 'har')) as Record<string, unknown>
      const query = { limit: JOURNAL_LENGTH, ...of, as: 'har' } as const
      return (await calling.call('listRequests', { path: { id }, query })) as Record<string, unknown>
    },
    verify: (expected: Verification = {}) =>
      verifyRequests({ list, unmatched: () => unmatchedCalls(calling) }, expected),
    clear: async () => {
      await calling.call('deleteRequests', { path: { id } })
    },
  })
  limitArguments('requests', requests, { wait: 1, get: 2, curl: 1, har: 1, verify: 1, clear: 0 })
  return requests
}
