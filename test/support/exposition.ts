/**
 * A strict parser of the Prometheus text format (version 0.0.4). It throws on everything that a scraper or `promtool check
 * metrics` would refuse: duplicate series, samples without a type, wrong suffixes, and histograms that do not add up.
 */

export type Labels = Readonly<Record<string, string>>

export interface ParsedSample {
  readonly name: string
  readonly labels: Labels
  readonly value: number
}

export interface Family {
  readonly name: string
  readonly type: string
  readonly help: string
  readonly samples: ParsedSample[]
}

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*'
const HEAD = new RegExp(`^# (HELP|TYPE) (${NAME}) (.+)$`)
const SAMPLE = new RegExp(`^(${NAME})(?:\\{(.*)\\})? (\\S+)$`)
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(,|$)/y
const TYPES = ['counter', 'gauge', 'histogram', 'summary', 'untyped']
const SUFFIXES: Readonly<Record<string, readonly string[]>> = {
  histogram: ['_bucket', '_sum', '_count'],
  summary: ['', '_sum', '_count'],
}

/** Returns the metrics by their names. */
export function parseExposition(text: string): Map<string, Family> {
  if (!text.endsWith('\n')) throw new Error('the text must end with a line feed')
  const families = new Map<string, Family>()
  const helps = new Map<string, string>()
  let current: Family | undefined
  for (const line of text.split('\n')) {
    if (line === '') continue
    const [, keyword, name = '', rest = ''] = HEAD.exec(line) ?? []
    if (keyword === 'HELP') {
      if (helps.has(name)) throw new Error(`${name} has two HELP lines`)
      helps.set(name, rest)
    } else if (keyword === 'TYPE') {
      if (families.has(name)) throw new Error(`${name} has two TYPE lines`)
      if (!TYPES.includes(rest)) throw new Error(`${name} has the unknown type ${rest}`)
      const help = helps.get(name)
      if (help === undefined) throw new Error(`${name} has no HELP line before its TYPE line`)
      current = { name, type: rest, help, samples: [] }
      families.set(name, current)
    } else current = addSample(current, line)
  }
  for (const family of families.values()) check(family)
  return families
}

function addSample(family: Family | undefined, line: string): Family {
  const [, name = '', labels, value = ''] = SAMPLE.exec(line) ?? []
  if (name === '') throw new Error(`not a sample: ${line}`)
  const suffixes = SUFFIXES[family?.type ?? ''] ?? ['']
  if (!family || !suffixes.some((suffix) => name === family.name + suffix)) {
    throw new Error(`${name} does not follow the TYPE line of its metric`)
  }
  family.samples.push({ name, labels: parseLabels(labels ?? ''), value: parseValue(value) })
  return family
}

function parseLabels(text: string): Labels {
  const labels: Record<string, string> = {}
  LABEL.lastIndex = 0
  while (LABEL.lastIndex < text.length) {
    const at = LABEL.lastIndex
    const [, name = '', value = ''] = LABEL.exec(text) ?? []
    if (name === '') throw new Error(`not a label: ${text.slice(at)}`)
    if (Object.hasOwn(labels, name)) throw new Error(`the label ${name} occurs twice`)
    labels[name] = value.replaceAll(/\\(.)/g, (_all, character: string) =>
      character === 'n' ? '\n' : character,
    )
  }
  return labels
}

function parseValue(text: string): number {
  if (/^[+-]Inf$/.test(text)) return text.startsWith('-') ? -Infinity : Infinity
  const value = Number(text)
  if (text !== 'NaN' && Number.isNaN(value)) throw new Error(`not a number: ${text}`)
  return value
}

const without = ({ le: _bound, ...labels }: Labels): Labels => labels

function check({ name, type, samples }: Family): void {
  const seen = new Set<string>()
  for (const sample of samples) {
    const key = `${sample.name} ${JSON.stringify(Object.entries(sample.labels).sort())}`
    if (seen.has(key)) throw new Error(`the series ${key} occurs twice`)
    seen.add(key)
    if (type === 'counter' && !(sample.value >= 0))
      throw new Error(`${key} is a counter of ${String(sample.value)}`)
  }
  if (type === 'counter' && !name.endsWith('_total'))
    throw new Error(`the counter ${name} must end with _total`)
  if (type !== 'counter' && name.endsWith('_total'))
    throw new Error(`${name} ends with _total but is no counter`)
  if (type === 'histogram') checkHistogram(name, samples)
}

function checkHistogram(name: string, samples: readonly ParsedSample[]): void {
  const keyOf = ({ labels }: ParsedSample): string => JSON.stringify(without(labels))
  for (const key of new Set(samples.map(keyOf))) {
    const series = samples.filter((sample) => keyOf(sample) === key)
    const buckets = series.filter((sample) => sample.name === `${name}_bucket`)
    let [bound, count] = [-Infinity, 0]
    for (const { labels, value } of buckets) {
      const next = labels['le'] === '+Inf' ? Infinity : Number(labels['le'])
      if (!(next > bound) || value < count) throw new Error(`the buckets of ${name} ${key} must increase`)
      bound = next
      count = value
    }
    const counts = series.filter((sample) => sample.name === `${name}_count`)
    const sums = series.filter((sample) => sample.name === `${name}_sum`)
    if (bound !== Infinity || counts.length !== 1 || counts[0]?.value !== count || sums.length !== 1) {
      throw new Error(`${name} ${key} needs a bucket +Inf that equals its count, and one sum`)
    }
  }
}
