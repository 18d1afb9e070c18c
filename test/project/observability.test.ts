/** The alert rules and the Grafana dashboard in deploy/ use only metrics and labels that the server has. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { METRICS } from '../../src/control/server/metricsList.ts'
import { parseExposition, type ParsedSample } from '../support/exposition.ts'
import { ROOT } from '../support/process.ts'
import { buildApp } from '../support/subject.ts'

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly annotations: Readonly<Record<string, string>>
}

interface Panel {
  readonly id: number
  readonly type: string
  readonly title: string
  readonly description?: string
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[]
}

interface Dashboard {
  readonly schemaVersion: number
  readonly uid: string
  readonly panels: readonly Panel[]
  readonly templating: { readonly list: readonly { readonly name: string; readonly definition?: string }[] }
}

const textOf = (file: string): string => readFileSync(join(ROOT, 'deploy', file), 'utf8')
const { groups } = parse(textOf('prometheus/alerts.yaml')) as {
  readonly groups: readonly { readonly name: string; readonly rules: readonly Rule[] }[]
}
const rules = groups.flatMap((group) => group.rules)
const dashboard = JSON.parse(textOf('grafana/suite-simulator.json')) as Dashboard

/** What Prometheus adds to each series of a scrape. */
const ADDED = ['job', 'instance']

/** The labels of each series name. */
const labelsOf = new Map<string, ReadonlySet<string>>([['up', new Set(ADDED)]])

/** The series of a server that was never called. */
const fresh: ParsedSample[] = []

beforeAll(async () => {
  const app = await buildApp()
  const { payload } = await app.fastify.inject('/_sim/metrics')
  await app.close()
  for (const { name, type, samples } of parseExposition(payload).values()) {
    fresh.push(...samples)
    const declared = METRICS.find((metric) => metric.name === name)
    const labels = new Set([
      ...(declared?.labels ?? samples.flatMap((sample) => Object.keys(sample.labels))),
      ...ADDED,
    ])
    if (type === 'histogram') {
      labelsOf.set(`${name}_sum`, labels).set(`${name}_count`, labels)
      labelsOf.set(`${name}_bucket`, new Set([...labels, 'le']))
    } else labelsOf.set(name, labels)
  }
})

const NAME = /[a-zA-Z_:][\w:]*/y
const KEYWORDS = ['and', 'or', 'unless', 'offset', 'bool']

interface Use {
  readonly metrics: readonly string[]
  /** Labels in selectors, by the name of their metric. */
  readonly selected: readonly (readonly [metric: string, label: string])[]
  /** Labels in by(...) and without(...). */
  readonly grouped: readonly string[]
}

/** Returns the metrics and labels of a PromQL expression. */
function used(expression: string): Use {
  const grouped: string[] = []
  const selected: (readonly [string, string])[] = []
  const metrics: string[] = []
  const rest = expression
    .replaceAll(/"(?:[^"\\]|\\.)*"/g, '""')
    .replaceAll(/\[[^\]]*\]/g, '')
    .replaceAll(/\b(?:by|without)\s*\(([^)]*)\)/g, (_all, labels: string) => {
      grouped.push(...labels.split(',').map((label) => label.trim()))
      return ''
    })
  for (let at = 0; at < rest.length;) {
    NAME.lastIndex = at
    const [name] = NAME.exec(rest) ?? []
    if (name === undefined) {
      // A number with its unit is no name.
      at += /^\d[\w.]*/.exec(rest.slice(at))?.[0].length ?? 1
      continue
    }
    at += name.length
    if (KEYWORDS.includes(name) || /^\s*\(/.test(rest.slice(at))) continue
    metrics.push(name)
    const [selector = ''] = /^\{[^}]*\}/.exec(rest.slice(at)) ?? []
    for (const [, label = ''] of selector.matchAll(/([a-zA-Z_]\w*)\s*(?:=~|!~|!=|=)/g))
      selected.push([name, label])
    at += selector.length
  }
  return { metrics, selected, grouped }
}

/** Checks an expression; returns the labels that its result can have. */
function mustExist(expression: string): ReadonlySet<string> {
  const { metrics, selected, grouped } = used(expression)
  expect(metrics.length, expression).toBeGreaterThan(0)
  const possible = new Set<string>()
  for (const metric of metrics) {
    expect([...labelsOf.keys()], expression).toContain(metric)
    for (const label of labelsOf.get(metric) ?? []) possible.add(label)
  }
  for (const [metric, label] of selected)
    expect([...(labelsOf.get(metric) ?? [])], expression).toContain(label)
  for (const label of grouped) expect([...possible], expression).toContain(label)
  return grouped.length > 0 ? new Set(grouped) : possible
}

test('expressions are read completely', () => {
  expect(
    used('topk(10, sum by (a, le) (rate(x_bucket{b="c{", d=~"e"}[5m]))) / y > 0.05 * 1e3 and z offset 5m'),
  ).toEqual({
    metrics: ['x_bucket', 'y', 'z'],
    selected: [
      ['x_bucket', 'b'],
      ['x_bucket', 'd'],
    ],
    grouped: ['a', 'le'],
  })
})

describe('alert rules', () => {
  test('have different names, and cover what an operator must know', () => {
    const names = rules.map(({ alert }) => alert)
    expect(new Set(names).size).toBe(names.length)
    for (const topic of [
      'Down',
      'NotReady',
      'ServerErrors',
      'DeliveriesStuck',
      'DiskNearlyFull',
      'DeliveriesDead',
    ]) {
      expect(names).toContain(`SuiteSim${topic}`)
    }
    for (const topic of ['EventLoopSlow', 'WalGrows', 'MemoryHigh'])
      expect(names).toContain(`SuiteSim${topic}`)
  })

  test.each(rules.map((rule) => [rule.alert, rule] as const))(
    '%s uses metrics and labels of the server',
    (_name, rule) => {
      const labels = mustExist(rule.expr)
      expect(Object.keys(rule.annotations)).toEqual(['summary', 'description'])
      for (const text of Object.values(rule.annotations)) {
        for (const [, label = ''] of text.matchAll(/\$labels\.(\w+)/g))
          expect([...labels], text).toContain(label)
      }
    },
  )
})

test('alerts on an increase use series that a server has from its start, because increase() ignores the first value', () => {
  const selectors = rules.flatMap(({ expr }) => [...expr.matchAll(/\bincrease\((\w+)\{(\w+)="(\w+)"\}\[/g)])
  expect(selectors).toHaveLength(rules.flatMap(({ expr }) => expr.match(/\bincrease\(/g) ?? []).length)
  expect(selectors.length).toBeGreaterThan(0)
  for (const [, metric, label = '', value] of selectors) {
    const series = fresh.filter(({ name, labels }) => name === metric && labels[label] === value)
    expect(series.length, metric).toBeGreaterThan(0)
  }
})

/** Returns the bytes of a limit of Compose or Kubernetes: 1g, 1Gi. */
function bytesOf(limit: string): number {
  const [, count, unit = ''] = /^(\d+)([mg])i?$/i.exec(limit) ?? []
  return Number(count) * 1024 ** (unit.toLowerCase() === 'g' ? 3 : 2)
}

test('the alert on memory fires before the deployments reach their limits', () => {
  const { expr = '' } = rules.find(({ alert }) => alert === 'SuiteSimMemoryHigh') ?? {}
  const [, factors = ''] = /> ([\d.* ]+)$/.exec(expr) ?? []
  const threshold = factors.split('*').reduce((product, factor) => product * Number(factor), 1)
  const single = parse(textOf('../compose.yaml'))
  const several = parse(textOf('compose.yaml'), { merge: true })
  const [pods] = parseAllDocuments(textOf('kubernetes/shards.yaml'))
    .map((document) => document.toJS())
    .filter(({ kind }) => kind === 'StatefulSet')
  const limits = [
    single.services['suite-sim'].mem_limit,
    several.services.s1.mem_limit,
    pods.spec.template.spec.containers[0].resources.limits.memory,
  ].map(bytesOf)
  for (const limit of limits) {
    expect(threshold).toBeGreaterThan(limit / 2)
    expect(threshold).toBeLessThanOrEqual(limit * 0.9)
  }
})

describe('the dashboard', () => {
  const graphs = dashboard.panels.filter(({ type }) => type !== 'row')

  test('has panels that do not overlap', () => {
    expect(dashboard).toMatchObject({ schemaVersion: 41, uid: 'suite-simulator' })
    const taken = new Set<string>()
    for (const { title, gridPos } of dashboard.panels) {
      expect(gridPos.x + gridPos.w, title).toBeLessThanOrEqual(24)
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++) {
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
          expect(taken.has(`${String(x)} ${String(y)}`), title).toBe(false)
          taken.add(`${String(x)} ${String(y)}`)
        }
      }
    }
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length)
  })

  test.each(graphs.map((panel) => [panel.title, panel] as const))(
    '"%s" uses metrics and labels of the server',
    (_title, panel) => {
      expect(panel.description).toMatch(/\.$/)
      for (const { expr, legendFormat } of panel.targets ?? []) {
        const labels = mustExist(expr)
        for (const [, label = ''] of legendFormat.matchAll(/\{\{(\w+)\}\}/g))
          expect([...labels], expr).toContain(label)
        for (const [, variable = ''] of expr.matchAll(/\$(\w+)/g)) {
          expect(['__rate_interval', ...dashboard.templating.list.map(({ name }) => name)]).toContain(
            variable,
          )
        }
      }
    },
  )

  test('has variables of labels that each series has', () => {
    for (const { definition } of dashboard.templating.list) {
      if (definition === undefined) continue
      const [, series = '', label = ''] = /^label_values\((.+), (\w+)\)$/.exec(definition) ?? []
      mustExist(series)
      expect(ADDED).toContain(label)
    }
  })

  test('shows every metric of the server itself, except those that only alerts use', () => {
    const shown = new Set(
      graphs.flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => used(expr).metrics)),
    )
    const missing = METRICS.map(({ name }) => name).filter(
      (name) => ![name, `${name}_count`].some((series) => shown.has(series)),
    )
    expect(missing).toEqual(['suite_sim_database_ok'])
  })
})
