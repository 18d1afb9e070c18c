/** The Prometheus metrics. Values are read on each scrape, so that they cost nothing between scrapes. */
import { collectDefaultMetrics, Registry, type Metric as RegistryMetric } from 'prom-client'
import { databaseHealthOf } from '../../state/storage/database/databaseHealth.ts'
import type { ControlContext } from '../shared/context.ts'
import { METRICS, type Metric, type Sample } from './metricsList.ts'

/** Gauges of the library with the name of a counter, and values that are undefined before its first measurement. */
const REMOVED = [
  ...['resources', 'handles', 'requests'].map((name) => `nodejs_active_${name}_total`),
  ...['min', 'mean', 'stddev'].map((name) => `nodejs_eventloop_lag_${name}_seconds`),
]

export function createRegistry(context: ControlContext): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  for (const name of REMOVED) registry.removeSingleMetric(name)
  // The registry only calls `get`. The classes of the library cannot count what was counted before the first scrape.
  for (const metric of METRICS) {
    registry.registerMetric(registered(metric, context) as unknown as RegistryMetric)
  }
  return registry
}

function registered(metric: Metric, context: ControlContext) {
  const { name, help, type } = metric
  const highest = new Map<string, number>()
  /** Work that is withdrawn would make a counter decrease, which Prometheus takes for a restart. */
  const monotonic = (samples: readonly Sample[]): readonly Sample[] =>
    samples.map((sample) => {
      const key = Object.values(sample.labels ?? {}).join(' ')
      const value = Math.max(sample.value, highest.get(key) ?? 0)
      highest.set(key, value)
      return { ...sample, value }
    })
  return {
    name,
    async get() {
      const samples = await samplesOf(metric, context)
      return {
        name,
        help,
        type,
        values: (type === 'counter' ? monotonic(samples) : samples).map(
          ({ value, labels = {}, suffix = '' }) => ({
            value,
            labels,
            metricName: name + suffix,
          }),
        ),
      }
    },
  }
}

/** Returns no samples if they cannot be read, so that a damaged file does not hide all other metrics. */
async function samplesOf(metric: Metric, context: ControlContext): Promise<readonly Sample[]> {
  try {
    return await metric.read(context)
  } catch (error) {
    databaseHealthOf(context.workspaces.database).report(error)
    return []
  }
}
