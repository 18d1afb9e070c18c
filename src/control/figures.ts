/** What the metrics are made of: read when somebody asks, so that it costs nothing before. */
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { monotonicNow } from '../state/clock.ts'
import { timelinesOf } from '../state/timeline.ts'
import { databaseHealthOf } from '../state/databaseHealth.ts'
import { countPending, pendingGroups } from '../webhooks/deliveries.ts'
import type { ControlContext } from './context.ts'

export function registryOf({ workspaces, startedAt }: ControlContext): Registry {
  const registry = new Registry()
  const { database } = workspaces
  const { totals } = timelinesOf(database)
  collectDefaultMetrics({ register: registry })

  const one = (name: string, help: string, read: () => number): void => {
    new Gauge({
      name: `suite_sim_${name}`,
      help,
      registers: [registry],
      collect() {
        this.set(read())
      },
    })
  }
  /** What the totals count of a kind, by the names that they count it under. */
  const counted = (name: string, help: string, kind: string, labelNames: readonly string[]): void => {
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
  const refused = new Gauge({
    name: 'suite_sim_refusals_total',
    help: 'Calls that were answered with a status of 400 or more.',
    labelNames: ['interface'],
    registers: [registry],
    collect() {
      const counts = new Map<string, number>()
      for (const [[of = '', , status = ''], count] of totals.of('call')) {
        if (Number(status) >= 400) counts.set(of, (counts.get(of) ?? 0) + count)
      }
      for (const [of, count] of counts) refused.set({ interface: of }, count)
    },
  })
  counted('requests_total', 'Calls of interfaces.', 'call', ['interface', 'operation', 'status'])
  counted('transitions_total', 'Moves of records.', 'move', ['machine', 'move', 'from', 'to'])
  counted('events_total', 'Events that happened.', 'event', ['interface', 'event'])
  one('uptime_seconds', 'Since the start.', () => (monotonicNow() - startedAt) / 1000)
  one('workspaces', 'Workspaces that there are.', () => workspaces.accounts().length)
  one('deliveries_owed', 'Webhooks that are still to be delivered.', () => countPending(database))
  one('delivery_lag_seconds', 'How long the webhook that is due longest has been due, on its clock.', () => {
    const lags = pendingGroups(database).map(({ workspace, due }) => {
      const now = workspaces.byNumber(workspace)?.now() ?? due
      return (now - due) / 1000
    })
    return lags.reduce((most, lag) => Math.max(most, lag), 0)
  })
  one('database_ok', '0 while the database can not be used.', () =>
    databaseHealthOf(database).currentError() === null ? 1 : 0,
  )
  return registry
}
