/** The metrics of this server, by the conventions of Prometheus. `npm run docs` writes them to docs/operating.md. */
import { stat, statfs } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { DURATION_BOUNDS, type Durations } from '../../http/server/logging/requestDurations.ts'
import { unmatchedCalls } from '../../http/server/logging/unmatchedCalls.ts'
import { storeOf } from '../../state/files/fileCleanup.ts'
import { monotonicNow } from '@suite-sim/kit/time/machineClock'
import { codeOf } from '../../state/storage/database/databaseFileError.ts'
import { DATA_FORMAT, type Database } from '../../state/storage/database/database.ts'
import { bytesOfPages } from '../../state/storage/database/pages.ts'
import { databaseHealthOf } from '../../state/storage/database/databaseHealth.ts'
import { timelinesOf } from '../../state/timeline/timelines.ts'
import { COUNTED_OUTCOMES, deliveryCountsOf } from '../../webhooks/deliveries/deliveryCounts.ts'
import { countPending, pendingGroups } from '../../webhooks/deliveries/dueDeliveries.ts'
import type { ControlContext } from '../shared/context.ts'
import { unavailableBecause } from './readiness.ts'

/** One sample; `suffix` is "_bucket", "_sum" or "_count" of a histogram. */
export interface Sample {
  readonly value: number
  readonly labels?: Readonly<Record<string, string>>
  readonly suffix?: string
}

export interface Metric {
  /** The whole name: "suite_sim_workspaces". */
  readonly name: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly help: string
  /** The labels, without `le` of a histogram. */
  readonly labels?: readonly string[]
  /** Reads the current samples; called on each scrape. */
  readonly read: (context: ControlContext) => readonly Sample[] | Promise<readonly Sample[]>
}

type Reader = (context: ControlContext) => number | Promise<number>

const gauge = (name: string, help: string, read: Reader): Metric => ({
  name: `suite_sim_${name}`,
  type: 'gauge',
  help,
  read: async (context) => [{ value: await read(context) }],
})

/** Returns the counters of a kind with their labels. */
function counters(name: string, help: string, kind: string, labels: readonly string[]): Metric {
  return {
    name: `suite_sim_${name}`,
    type: 'counter',
    help,
    labels,
    read: ({ workspaces: { database } }) =>
      [...timelinesOf(database).totals.of(kind)].map(([names, value]) => ({
        value,
        labels: Object.fromEntries(labels.map((label, index) => [label, names[index] ?? ''])),
      })),
  }
}

/** Counters of webhooks. They exist from 0 on, because Prometheus sees no increase in a series that begins at 1. */
const outcomeCounters = (name: string, help: string, kind: keyof typeof COUNTED_OUTCOMES): Metric => ({
  name: `suite_sim_${name}`,
  type: 'counter',
  help,
  labels: ['interface', 'outcome'],
  read: ({ workspaces: { database }, interfaces }) =>
    interfaces
      .filter(({ renderEvent }) => renderEvent.names?.length !== 0)
      .flatMap((each) =>
        COUNTED_OUTCOMES[kind].map((outcome) => ({
          value: deliveryCountsOf(database).get(`${kind} ${each.name} ${outcome}`),
          labels: { interface: each.name, outcome },
        })),
      ),
})

function* durationSamples({ area, statusClass, cumulative, count, sum }: Durations): Generator<Sample> {
  const labels = { interface: area, status_class: statusClass }
  for (const [index, value] of cumulative.entries()) {
    yield { suffix: '_bucket', labels: { ...labels, le: String(DURATION_BOUNDS[index]) }, value }
  }
  yield { suffix: '_bucket', labels: { ...labels, le: '+Inf' }, value: count }
  yield { suffix: '_sum', labels, value: sum }
  yield { suffix: '_count', labels, value: count }
}

/** Seconds since the oldest due delivery became due, on the clock of its workspace. */
function deliveryLag({ workspaces }: ControlContext): number {
  return pendingGroups(workspaces.database).reduce((max, { workspace, due }) => {
    const now = workspaces.byRowScope(workspace)?.now() ?? due
    return Math.max(max, (now - due) / 1000)
  }, 0)
}

// ---------------------------------------------------------------- disk

/** Returns the size of a file of the database; 0 if it does not exist, such as a log that was never written. */
async function sizeOf({ file }: Database, suffix: string): Promise<number> {
  try {
    return (await stat(file + suffix)).size
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return 0
    throw error
  }
}

const isInMemory = ({ file }: Database): boolean => file === ':memory:'

const diskOf = ({ workspaces: { database } }: ControlContext) =>
  statfs(isInMemory(database) ? '.' : dirname(resolve(database.file)))

/** Ms between two measurements of the stored files, and their largest share of the time. */
const MEASURING_INTERVAL = 60_000
const MAX_MEASURING_SHARE = 1 / 100

/** The size of the stored files. Measured anew only after a while, because it reads the size of each file. */
class StoredFileSize {
  readonly #database: Database
  #size: Promise<number> | null = null
  #nextAt = 0

  constructor(database: Database) {
    this.#database = database
  }

  current(): Promise<number> {
    if (this.#size && monotonicNow() < this.#nextAt) return this.#size
    const began = monotonicNow()
    this.#nextAt = Infinity
    const size = storeOf(this.#database)
      .size()
      .finally(() => {
        const took = monotonicNow() - began
        this.#nextAt = monotonicNow() + Math.max(MEASURING_INTERVAL, took / MAX_MEASURING_SHARE)
      })
    return (this.#size = size)
  }
}

const createSize = (database: Database): StoredFileSize => new StoredFileSize(database)

export const METRICS: readonly Metric[] = [
  {
    name: 'suite_sim_build_info',
    type: 'gauge',
    help: 'Always 1. The labels are the version, the git revision, the format of the database file and the version of Node.',
    labels: ['version', 'revision', 'format', 'node'],
    read: ({ build: { version, revision } }) => [
      {
        value: 1,
        labels: {
          version,
          revision: revision ?? '',
          format: String(DATA_FORMAT),
          node: process.versions.node,
        },
      },
    ],
  },
  gauge(
    'ready',
    '1 while the server is ready for use, else 0; the reason is in /_sim/health/ready.',
    (context) => (unavailableBecause(context) === null ? 1 : 0),
  ),
  {
    name: 'suite_sim_http_request_duration_seconds',
    type: 'histogram',
    help: 'Time from the head of a request to the end of its response, including the time that calls wait for events.',
    labels: ['interface', 'status_class'],
    read: ({ durations }) => [...durations.all()].flatMap((each) => [...durationSamples(each)]),
  },
  counters('requests_total', 'Calls to interfaces that reached a workspace.', 'call', [
    'interface',
    'operation',
    'status',
  ]),
  {
    name: 'suite_sim_unmatched_requests_total',
    type: 'counter',
    help: 'Calls that belong to no workspace: a missing or unknown key, or an unknown path.',
    read: ({ workspaces }) => [{ value: unmatchedCalls(workspaces.database).count }],
  },
  counters('transitions_total', 'State transitions of records.', 'move', ['machine', 'move', 'from', 'to']),
  counters('events_total', 'Events that occurred.', 'event', ['interface', 'event']),
  gauge('workspaces', 'Workspaces.', ({ workspaces }) => workspaces.tenantIds().length),
  outcomeCounters(
    'delivery_attempts_total',
    'Attempts to deliver a webhook, by outcome: succeeded, failed.',
    'attempt',
  ),
  outcomeCounters(
    'deliveries_total',
    'Webhooks that are not sent again, by outcome: delivered, dead (all attempts failed, or 410), canceled (its subscription ended or stopped the event).',
    'delivery',
  ),
  gauge('deliveries_pending', 'Pending webhooks.', ({ workspaces }) => countPending(workspaces.database)),
  gauge(
    'delivery_lag_seconds',
    'Seconds since the oldest due webhook became due, on the clock of its workspace.',
    deliveryLag,
  ),
  gauge(
    'deliveries_stuck_seconds',
    'Seconds without an end of any attempt although attempts are in flight; 0 while they end in time.',
    ({ webhooks }) => webhooks.stuckForMs / 1000,
  ),
  gauge(
    'database_ok',
    '0 while the database cannot be used (full disk, damaged file), else 1.',
    ({ workspaces }) => (databaseHealthOf(workspaces.database).currentError() === null ? 1 : 0),
  ),
  gauge(
    'database_bytes',
    'Size of the database file; for a database in memory, of its pages.',
    ({ workspaces }) =>
      isInMemory(workspaces.database)
        ? bytesOfPages(workspaces.database.sqlite, 'page_count')
        : sizeOf(workspaces.database, ''),
  ),
  gauge('database_free_bytes', 'Unused pages in the database, which new records reuse.', ({ workspaces }) =>
    bytesOfPages(workspaces.database.sqlite, 'freelist_count'),
  ),
  gauge('wal_bytes', 'Size of the write-ahead log; 0 for a database in memory.', ({ workspaces }) =>
    isInMemory(workspaces.database) ? 0 : sizeOf(workspaces.database, '-wal'),
  ),
  gauge('stored_file_bytes', 'Size of the stored files, at most a minute old.', ({ workspaces }) =>
    workspaces.database.own(createSize).current(),
  ),
  gauge('disk_free_bytes', 'Free space on the disk of the database.', async (context) => {
    const { bavail, bsize } = await diskOf(context)
    return bavail * bsize
  }),
  gauge('disk_size_bytes', 'Size of the disk of the database.', async (context) => {
    const { blocks, bsize } = await diskOf(context)
    return blocks * bsize
  }),
]
