/**
 * Mixed calls of several clients at a fixed rate: records of several interfaces, uploads, webhooks, triggers, clock moves,
 * snapshots, clones, and workspaces that are created and deleted throughout.
 */
import { formOf } from '../support/forms.ts'

interface Answer {
  readonly status: number
  // The bodies of many operations.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any
}

/** Pseudorandom numbers that depend on the seed only (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** The calls since the last report. */
export class Tally {
  #durations: number[] = []
  calls = 0
  readonly failures: string[] = []
  #reportedFailures = 0

  record(ms: number): void {
    this.calls++
    this.#durations.push(ms)
  }

  /** Returns the figures since the last call. */
  take(): { calls: number; failures: number; p50Ms: number; p99Ms: number } {
    const sorted = this.#durations.toSorted((one, other) => one - other)
    this.#durations = []
    const at = (share: number): number => sorted[Math.floor((sorted.length - 1) * share)] ?? 0
    const failures = this.failures.length - this.#reportedFailures
    this.#reportedFailures = this.failures.length
    return { calls: sorted.length, failures, p50Ms: at(0.5), p99Ms: at(0.99) }
  }
}

interface Tenant {
  readonly id: string
  readonly key: string
  readonly contacts: string[]
  readonly media: string[]
  snapshots: number
}

/** Workspaces of a client before it deletes the oldest. */
const MAX_WORKSPACES = 5
/** The records of a kind in a workspace before the client deletes the oldest. */
const MAX_RECORDS = 20

/** One client with workspaces of its own, which makes one call at a time. */
export class Client {
  readonly #url: string
  readonly #receiver: string
  readonly #tally: Tally
  readonly #random: () => number
  readonly #tenants: Tenant[] = []
  #number = 0

  constructor(url: string, receiver: string, tally: Tally, seed: number) {
    this.#url = url
    this.#receiver = receiver
    this.#tally = tally
    this.#random = randomNumbers(seed)
  }

  /** Makes the next calls: mostly one. */
  async act(): Promise<void> {
    const tenant = this.#tenants[Math.floor(this.#random() * this.#tenants.length)]
    if (!tenant || this.#random() < 0.02) return this.#replaceOldest()
    const [, action] = this.#actions.find(([share]) => this.#random() < share) ?? []
    return (action ?? this.#read)(tenant)
  }

  /** Deletes all workspaces of the client. */
  async end(): Promise<void> {
    for (const { id } of this.#tenants.splice(0)) await this.#sim('DELETE', `/workspaces/${id}`)
  }

  /** Each is taken with its share if none before it was. */
  readonly #actions: readonly (readonly [share: number, action: (tenant: Tenant) => Promise<void>])[] = [
    [0.25, (tenant) => this.#addContact(tenant)],
    [0.1, (tenant) => this.#upload(tenant)],
    [0.1, (tenant) => this.#trigger(tenant)],
    [0.05, (tenant) => this.#moveClock(tenant)],
    [0.04, (tenant) => this.#saveAndRestore(tenant)],
    [0.02, (tenant) => this.#copySnapshot(tenant)],
    [0.02, (tenant) => this.#clone(tenant)],
    [0.02, (tenant) => this.#reset(tenant)],
  ]

  readonly #read = async (tenant: Tenant): Promise<void> => {
    const paths = ['/crm/v1/contacts?per_page=50', '/workspace/public/v1/products', '/grid/v1/media']
    const path = paths[Math.floor(this.#random() * paths.length)] ?? ''
    await this.#call(tenant, 'GET', path)
  }

  async #replaceOldest(): Promise<void> {
    if (this.#tenants.length >= MAX_WORKSPACES) {
      const oldest = this.#tenants.shift()
      await this.#sim('DELETE', `/workspaces/${oldest?.id ?? ''}`)
    }
    const chance = this.#random()
    const fixtures = chance < 0.1 ? 'demo' : chance < 0.6 ? 'small' : 'none'
    const tenant = await this.#opened(await this.#sim('POST', '/workspaces', { fixtures }))
    for (const of of ['crm', 'pos']) {
      await this.#sim('POST', `/workspaces/${tenant.id}/subscriptions`, {
        interface: of,
        url: this.#receiver,
      })
    }
  }

  async #opened({ body }: Answer): Promise<Tenant> {
    const { workspace, key } = body as { workspace: { id: string }; key: string }
    const tenant = { id: workspace.id, key, contacts: [], media: [], snapshots: 0 }
    this.#tenants.push(tenant)
    return tenant
  }

  async #addContact(tenant: Tenant): Promise<void> {
    const name = `Contact ${String(++this.#number)}`
    const { body } = await this.#call(tenant, 'POST', '/crm/v1/contacts', {
      name,
      custom_fields: { note: 'n'.repeat(1 + Math.floor(this.#random() * 2000)) },
    })
    tenant.contacts.push(body.id)
    const [first = ''] = tenant.contacts
    await this.#call(tenant, 'PATCH', `/crm/v1/contacts/${first}`, { position: name })
    if (tenant.contacts.length <= MAX_RECORDS) return
    tenant.contacts.shift()
    await this.#call(tenant, 'DELETE', `/crm/v1/contacts/${first}`)
  }

  async #upload(tenant: Tenant): Promise<void> {
    const filling = String(++this.#number).padEnd(1000 + Math.floor(this.#random() * 50_000), ' ')
    const content = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><!--${filling}--></svg>`
    const { raw, contentType } = formOf({
      file: { filename: 'a.svg', content, type: 'image/svg+xml' },
    })
    const { body } = await this.#send('POST', '/grid/v1/media', tenant.key, raw, contentType ?? '')
    tenant.media.push(body.id)
    if (tenant.media.length > MAX_RECORDS) {
      await this.#call(tenant, 'DELETE', `/grid/v1/media/${tenant.media.shift() ?? ''}`)
    }
  }

  async #trigger({ id }: Tenant): Promise<void> {
    await this.#sim('POST', `/workspaces/${id}/triggers/pos.event.emit`, { event: 'sale.completed' })
  }

  async #moveClock({ id }: Tenant): Promise<void> {
    await this.#sim('POST', `/workspaces/${id}/clock/advance`, { duration: 'PT6H' })
  }

  async #saveAndRestore(tenant: Tenant): Promise<void> {
    const path = `/workspaces/${tenant.id}/snapshots`
    const name = `s${String(++tenant.snapshots)}`
    await this.#sim('POST', path, { name })
    await this.#sim('POST', `${path}/${name}/restore`)
    await this.#sim('DELETE', `${path}/${name}`)
  }

  async #copySnapshot({ id }: Tenant): Promise<void> {
    const { body } = await this.#sim('GET', `/workspaces/${id}/snapshot`)
    await this.#sim('PUT', `/workspaces/${id}/snapshot`, body)
  }

  async #clone(tenant: Tenant): Promise<void> {
    if (this.#tenants.length >= MAX_WORKSPACES) {
      const { id } = this.#tenants.find((each) => each !== tenant) ?? tenant
      this.#tenants.splice(
        this.#tenants.findIndex((each) => each.id === id),
        1,
      )
      await this.#sim('DELETE', `/workspaces/${id}`)
    }
    const clone = await this.#opened(await this.#sim('POST', `/workspaces/${tenant.id}/clone`))
    clone.contacts.push(...tenant.contacts)
    clone.media.push(...tenant.media)
  }

  async #reset(tenant: Tenant): Promise<void> {
    await this.#sim('POST', `/workspaces/${tenant.id}/reset`)
    // A clone is reset to its first records, so the client forgets which exist.
    tenant.contacts.length = 0
    tenant.media.length = 0
  }

  #sim(method: string, path: string, body?: unknown): Promise<Answer> {
    return this.#sendJson(method, `/_sim${path}`, null, body)
  }

  #call({ key }: Tenant, method: string, path: string, body?: unknown): Promise<Answer> {
    return this.#sendJson(method, path, key, body)
  }

  #sendJson(method: string, path: string, key: string | null, body: unknown): Promise<Answer> {
    const text = body === undefined ? undefined : JSON.stringify(body)
    return this.#send(method, path, key, text, 'application/json')
  }

  async #send(
    method: string,
    path: string,
    key: string | null,
    body: string | Buffer | undefined,
    contentType: string,
  ): Promise<Answer> {
    const began = performance.now()
    const answer = await fetch(this.#url + path, {
      method,
      headers: {
        ...(key !== null && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { 'content-type': contentType }),
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : new Uint8Array(body) }),
    })
    const text = await answer.text()
    this.#tally.record(performance.now() - began)
    if (answer.status >= 300) {
      const message = `${method} ${path}: ${String(answer.status)} ${text.slice(0, 200)}`
      this.#tally.failures.push(message)
      throw new Error(message)
    }
    return { status: answer.status, body: text === '' ? null : JSON.parse(text) }
  }
}
