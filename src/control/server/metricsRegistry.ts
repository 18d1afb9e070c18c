/** The Prometheus metrics. Values are read on each scrape, so that they cost nothing between scrapes. */
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { monotonicNow } from '../../state/model/clock.ts'
import { timelinesOf } from '../../state/timeline/timelines.ts'
import { databaseHealthOf } from '../../state/storage/database/databaseHealth.ts'
import { countPending, pendingGroups } from '../../webhooks/deliveries/dueDeliveries.ts'
import type { ControlContext } from '../shared/context.ts'

export function createRegistry({ workspaces, startedAt }: ControlContext): Registry {
  const registry = new Registry()
  const { database } = workspaces
  const { totals } = timelinesOf(database)
  collectDefaultMetrics({ register: registry })

  const addGauge = (name: string, help: string, read: () => number): void => {
    new Gauge({
      name: `suite_sim_${name}`,
      help,
      registers: [registry],
      collect() {
        this.set(read())
      },
    })
  }
  /** Adds a gauge with one series for each combination of labels in the totals of a kind. */
  const addCounts = (name: string, help: string, kind: string, labelNames: readonly string[]): void => {
    new Gauge({
      name: `suite_sim_${name}`,
      help,
      labelNames: [...labelNames],
      registers: [registry],
      collect() {
        this.reset()
        for (const [names, count] of totals.of(kind)) {
          this.set(Object.fromEntries(labelNames.map((label, index) => [label, names[index] ?? ''])), count)
        }
      },
    })
  }
  const refusals = new Gauge({
    name: 'suite_sim_refusals_total',
    help: 'Calls with a response status of 400 or more.',
    labelNames: ['interface'],
    registers: [registry],
    collect() {
      const counts = new Map<string, number>()
      for (const [[of = '', , status = ''], count] of totals.of('call')) {
        if (Number(status) >= 400) counts.set(of, (counts.get(of) ?? 0) + count)
      }
      for (const [of, count] of counts) refusals.set({ interface: of }, count)
    },
  })
  addCounts('requests_total', 'Calls to interfaces.', 'call', ['interface', 'operation', 'status'])
  addCounts('transitions_total', 'State transitions of records.', 'move', ['machine', 'move', 'from', 'to'])
  addCounts('events_total', 'Events that occurred.', 'event', ['interface', 'event'])
  addGauge('uptime_seconds', 'Seconds since the server started.', () => (monotonicNow() - startedAt) / 1000)
  addGauge('workspaces', 'Number of workspaces.', () => workspaces.tenantIds().length)
  addGauge('deliveries_owed', 'Pending webhook deliveries.', () => countPending(database))
  addGauge(
    'delivery_lag_seconds',
    'Seconds since the oldest due delivery became due, on the clock of its workspace.',
    () => {
      const lags = pendingGroups(database).map(({ workspace, due }) => {
        const now = workspaces.byRowScope(workspace)?.now() ?? due
        return (now - due) / 1000
      })
      return lags.reduce((max, lag) => Math.max(max, lag), 0)
    },
  )
  addGauge('database_ok', '0 while the database cannot be used, otherwise 1.', () =>
    databaseHealthOf(database).currentError() === null ? 1 : 0,
  )
  return registry
}
