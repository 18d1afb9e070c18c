/** Jobs like those of CI, against a cluster: each creates a workspace, uses some interfaces in it and deletes it. */
import { ask, type Cluster, type Reply } from './cluster.ts'

export interface JobReport {
  readonly jobs: number
  readonly calls: number
  /** Answers by other shards than that of the workspace. */
  readonly misrouted: number
  /** One line for each call that failed or that another shard answered. */
  readonly problems: readonly string[]
  readonly jobsByShard: Readonly<Record<string, number>>
  readonly seconds: number
}

/** Creations in a job; each is followed by a read of the record and, for some, by a change. */
const ROUNDS = 11

/** Runs jobs, `atOnce` at the same time. */
export async function runJobs(cluster: Cluster, jobs: number, atOnce: number): Promise<JobReport> {
  const problems: string[] = []
  const jobsByShard: Record<string, number> = {}
  let calls = 0
  let misrouted = 0
  let next = 0
  const started = performance.now()
  const work = async (): Promise<void> => {
    while (next++ < jobs) {
      const job = new Job(cluster)
      await job.run().catch((error: unknown) => job.problems.push(messageOf(error)))
      calls += job.calls
      misrouted += job.misrouted
      problems.push(...job.problems)
      jobsByShard[job.shard] = (jobsByShard[job.shard] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return { jobs, calls, misrouted, problems, jobsByShard, seconds: (performance.now() - started) / 1000 }
}

const messageOf = (error: unknown): string => {
  const { message, cause } = error as Error
  return cause instanceof Error ? `${message}: ${cause.message}` : message
}

/** One job of 35 calls: the workspace, 11 records that are created, read and changed or listed, and the deletion. */
class Job {
  readonly problems: string[] = []
  calls = 0
  misrouted = 0
  shard = ''
  readonly #cluster: Cluster
  #key = ''

  constructor(cluster: Cluster) {
    this.#cluster = cluster
  }

  async run(): Promise<void> {
    const made = await this.#cluster.sim('POST', '/workspaces', { name: 'Job' })
    this.calls++
    if (made.status !== 201) throw new Error(`POST /_sim/workspaces: ${String(made.status)}`)
    const { workspace, key } = made.body as { workspace: { id: string }; key: string }
    this.#key = key
    this.shard = made.shard ?? ''
    for (let round = 0; round < ROUNDS; round++) await this.#round(round)
    this.#note('DELETE workspace', await this.#cluster.sim('DELETE', `/workspaces/${workspace.id}`), 204)
  }

  async #round(round: number): Promise<void> {
    const { path, body } = KINDS[round % KINDS.length] ?? KINDS[0]
    const created = await this.#call('POST', path, 201, body)
    const { data } = created.body as { data?: { id: string } }
    const { id } = data ?? (created.body as { id: string })
    await this.#call('GET', `${path}/${id}`, 200)
    await this.#call('GET', path, 200)
  }

  async #call(method: string, path: string, expected: number, body?: object): Promise<Reply> {
    const reply = await ask(this.#cluster.url + path, {
      method,
      headers: { authorization: `Bearer ${this.#key}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    this.#note(`${method} ${path}`, reply, expected)
    return reply
  }

  #note(call: string, { status, shard, body }: Reply, expected: number): void {
    this.calls++
    if (shard !== null && shard !== this.shard) this.misrouted++
    if (status === expected && shard === this.shard) return
    this.problems.push(
      `${call}: ${String(status)} by ${String(shard)}: ${JSON.stringify(body).slice(0, 200)}`,
    )
  }
}

const KINDS = [
  { path: '/workspace/public/v1/products', body: { name: 'Desk', type: 'physical', basePrice: '449.00' } },
  { path: '/crm/v1/contacts', body: { name: 'Ana' } },
  { path: '/pay/v1/payment-links', body: { amount: 1250, currency: 'USD', description: 'Desk' } },
] as const
