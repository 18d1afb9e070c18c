/** Sentences about entries: for labels, hints and lists. */
import type { Entry } from './format.ts'

/** Returns what an entry says: "the header x-powered-by". */
export function subjectOf(entry: Entry): string {
  switch (entry.kind) {
    case 'refusal':
      return `the refusal ${String(entry.when.status)}${entry.when.code === undefined ? '' : ` ${entry.when.code}`}`
    case 'field':
      return `the field ${entry.path}`
    case 'nullability':
      return `${entry.path} without a value: ${entry.is}`
    case 'order':
      return `the default order: ${entry.sort.map(({ field, direction }) => `${field} ${direction}`).join(', ')}`
    case 'page':
      return `the page size: ${pageWords(entry)}`
    case 'header':
      return `the header ${entry.name}`
    case 'precision':
      return entry.decimals === undefined
        ? `the form of times${entry.path === undefined ? '' : ` at ${entry.path}`}: ${timeWords(entry)}`
        : `the decimals of ${entry.path ?? ''}: ${String(entry.decimals)}`
    case 'rateLimit':
      return `the rate limit: ${String(entry.limit)} calls in ${String(entry.windowSeconds)} seconds`
    case 'eventField':
      return `the field ${entry.path} of the event ${entry.event}`
    case 'reading':
      return `the reading ${entry.name}: ${entry.value}`
  }
}

const pageWords = (entry: { default?: number; maximum?: number }): string =>
  [
    ...(entry.default === undefined ? [] : [`default ${String(entry.default)}`]),
    ...(entry.maximum === undefined ? [] : [`at most ${String(entry.maximum)}`]),
  ].join(', ')

const timeWords = ({ fraction, zone }: { fraction?: number; zone?: string }): string =>
  [
    ...(fraction === undefined ? [] : [`${String(fraction)} digits after the seconds`]),
    ...(zone === undefined ? [] : [`zone ${zone}`]),
  ].join(', ')

/** Returns when and how often it was observed: "Observed on 2026-11-26 in 3 of 4 samples." */
export const whyOf = ({ observedAt, samples }: Entry): string =>
  `Observed on ${observedAt.slice(0, 10)} in ${String(samples.deviating)} of ${String(samples.total)} samples.`

/** Returns the words of a published document that label a part as observed. */
export const observedLabel = (...entries: readonly Entry[]) => ({
  'x-fidelity': 'observed',
  'x-fidelity-why': [...new Set(entries.map(whyOf))].join(' '),
})
