/** Users who write and read while shards are killed or restarted. */
import { setTimeout as delay } from 'node:timers/promises'
import { ask, type Cluster, type Reply } from './cluster.ts'

export interface UserReport {
  /** By shard. */
  readonly calls: Readonly<Record<string, number>>
  readonly failed: Readonly<Record<string, number>>
  readonly longestMs: Readonly<Record<string, number>>
  /** Answers by other shards than that of the user. */
  readonly misrouted: number
  /** Writes with a success answer whose record does not exist. */
  readonly missing: number
  /** What must not happen: misrouted or lost writes, and failures on shards that were not killed. */
  readonly problems: readonly string[]
}

/** Users of each shard. */
const USERS = 4

const KILL_INTERVAL_MS = 5000

const LINKS = '/pay/v1/payment-links'

/** Kills a shard every five seconds and starts it again, while users of all shards write and read. */
export async function killOneUnderLoad(
  cluster: Cluster,
  victim: string,
  seconds: number,
): Promise<UserReport & { readonly kills: number }> {
  let kills = 0
  const report = await underLoad(cluster, new Set([victim]), async () => {
    const end = performance.now() + seconds * 1000
    while (performance.now() < end) {
      const next = delay(KILL_INTERVAL_MS)
      await cluster.shard(victim).restart('SIGKILL')
      kills++
      await next
    }
  })
  return { ...report, kills }
}

/** Stops and starts each shard, one after the other, as an upgrade does. No call may fail. */
export const restartAllUnderLoad = (cluster: Cluster): Promise<UserReport> =>
  underLoad(cluster, new Set(), async () => {
    for (const shard of cluster.shards) await shard.restart('SIGTERM')
  })

async function underLoad(
  cluster: Cluster,
  victims: ReadonlySet<string>,
  action: () => Promise<void>,
): Promise<UserReport> {
  const users = await createUsers(cluster)
  const stopped = new AbortController()
  const work = Promise.all(users.map((user) => user.work(stopped.signal)))
  // Each user has written before the first restart.
  while (users.some(({ written }) => written.length === 0)) await delay(10)
  await action()
  const counts = users.map(({ written }) => written.length)
  while (users.some(({ written }, index) => written.length === counts[index])) await delay(10)
  stopped.abort()
  await work

  const missing = (await Promise.all(users.map((user) => user.missing()))).reduce(
    (sum, each) => sum + each,
    0,
  )
  const misrouted = users.reduce((sum, user) => sum + user.misrouted, 0)
  const failures = users.filter(({ shard }) => !victims.has(shard)).flatMap((user) => user.failures)
  return {
    calls: byShard(users, ({ calls }) => calls),
    failed: byShard(users, (user) => user.failures.length),
    longestMs: byShard(users, ({ longestMs }) => Math.round(longestMs), Math.max),
    misrouted,
    missing,
    problems: [
      ...failures,
      ...(misrouted > 0 ? [`${String(misrouted)} answers by the wrong shard`] : []),
      ...(missing > 0 ? [`${String(missing)} answered writes are missing`] : []),
    ],
  }
}

function byShard(
  users: readonly User[],
  valueOf: (user: User) => number,
  join: (one: number, other: number) => number = (one, other) => one + other,
): Record<string, number> {
  const values: Record<string, number> = {}
  for (const user of users) values[user.shard] = join(values[user.shard] ?? 0, valueOf(user))
  return values
}

/** Creates users through the proxy, which chooses their shards, until each shard has enough. */
async function createUsers(cluster: Cluster): Promise<User[]> {
  const users: User[] = []
  for (let made = 0; made < cluster.shards.length * USERS; made++) {
    const { shard, body } = await cluster.sim('POST', '/workspaces', { name: 'User' })
    users.push(new User(cluster, shard ?? '', (body as { key: string }).key))
  }
  return users
}

class User {
  readonly shard: string
  /** The ids of the records whose creation was answered. */
  readonly written: string[] = []
  readonly failures: string[] = []
  calls = 0
  misrouted = 0
  longestMs = 0
  readonly #cluster: Cluster
  readonly #key: string

  constructor(cluster: Cluster, shard: string, key: string) {
    this.#cluster = cluster
    this.shard = shard
    this.#key = key
  }

  /** Writes and reads until the signal. */
  async work(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const created = await this.#call('POST', LINKS, 201)
      if (!created) continue
      const { id } = (created.body as { data: { id: string } }).data
      this.written.push(id)
      await this.#call('GET', `${LINKS}/${id}`, 200)
      // The users measure restarts, so they leave CPU time to the starting shard.
      await delay(20)
    }
  }

  /** Returns how many of the written records do not exist. */
  async missing(): Promise<number> {
    let missing = 0
    for (const id of this.written) {
      const { status } = await this.#ask('GET', `${LINKS}/${id}`)
      if (status !== 200) missing++
    }
    return missing
  }

  async #call(method: string, path: string, expected: number): Promise<Reply | null> {
    this.calls++
    const started = performance.now()
    const reply = await this.#ask(method, path).catch((error: unknown) => String(error))
    this.longestMs = Math.max(this.longestMs, performance.now() - started)
    if (typeof reply === 'string') {
      this.failures.push(`${method} ${path} of ${this.shard}: ${reply}`)
      return null
    }
    // The proxy answers itself if the shard was killed while it worked on the call.
    if (reply.shard !== null && reply.shard !== this.shard) this.misrouted++
    if (reply.status === expected) return reply
    this.failures.push(`${method} ${path} of ${this.shard}: ${String(reply.status)} ${String(reply.shard)}`)
    return null
  }

  #ask(method: string, path: string): Promise<Reply> {
    const isWrite = method === 'POST'
    return ask(this.#cluster.url + path, {
      method,
      headers: {
        authorization: `Bearer ${this.#key}`,
        ...(isWrite && { 'content-type': 'application/json' }),
      },
      ...(isWrite && { body: JSON.stringify({ amount: 1250, currency: 'USD', description: 'Desk' }) }),
    })
  }
}
