/** The samples of a soak run, as lines and as a Markdown table, and its verdict. */

/** The state of the server at an instant, and the calls since the sample before. */
export interface Sample {
  readonly minutes: number
  /** After a garbage collection. */
  readonly heapBytes: number
  readonly rssBytes: number
  readonly descriptors: number
  readonly walBytes: number
  readonly fileBytes: number
  readonly storedFiles: number
  readonly workspaces: number
  readonly calls: number
  readonly failures: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly longestHoldMs: number
}

const inMb = (bytes: number): string => (bytes / 1_000_000).toFixed(1)

const COLUMNS: readonly (readonly [title: string, cell: (sample: Sample) => string])[] = [
  ['minute', ({ minutes }) => minutes.toFixed(1)],
  ['heap MB', ({ heapBytes }) => inMb(heapBytes)],
  ['RSS MB', ({ rssBytes }) => inMb(rssBytes)],
  ['descriptors', ({ descriptors }) => String(descriptors)],
  ['WAL MB', ({ walBytes }) => inMb(walBytes)],
  ['file MB', ({ fileBytes }) => inMb(fileBytes)],
  ['stored files', ({ storedFiles }) => String(storedFiles)],
  ['workspaces', ({ workspaces }) => String(workspaces)],
  ['calls', ({ calls }) => String(calls)],
  ['failures', ({ failures }) => String(failures)],
  ['p50 ms', ({ p50Ms }) => p50Ms.toFixed(1)],
  ['p99 ms', ({ p99Ms }) => p99Ms.toFixed(0)],
  ['longest block ms', ({ longestHoldMs }) => longestHoldMs.toFixed(0)],
]

export const lineOf = (sample: Sample): string =>
  COLUMNS.map(([title, cell]) => `${title} ${cell(sample)}`).join(', ')

/** Returns a Markdown table of at most `rows` samples, evenly chosen, the last included. */
export function tableOf(samples: readonly Sample[], rows = 20): string[] {
  const step = Math.max(1, Math.ceil(samples.length / rows))
  const chosen = samples.filter((_sample, index) => (samples.length - 1 - index) % step === 0)
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [
    row(COLUMNS.map(([title]) => title)),
    row(COLUMNS.map(() => '---:')),
    ...chosen.map((sample) => row(COLUMNS.map(([, cell]) => cell(sample)))),
  ]
}

/** Returns the slope of the least-squares line through points. */
export function slopeOf(points: readonly (readonly [x: number, y: number])[]): number {
  const meanOf = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length
  const meanX = meanOf(points.map(([x]) => x))
  const meanY = meanOf(points.map(([, y]) => y))
  const spread = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0)
  return spread === 0 ? 0 : points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0) / spread
}

type Measure = 'heapBytes' | 'rssBytes' | 'descriptors' | 'walBytes' | 'fileBytes' | 'storedFiles'

/** What must stay flat, and the growth over the second half that is noise in any case. */
const MEASURES: readonly (readonly [name: string, measure: Measure, noise: number])[] = [
  ['heap', 'heapBytes', 5_000_000],
  ['RSS', 'rssBytes', 30_000_000],
  ['descriptors', 'descriptors', 8],
  ['WAL', 'walBytes', 10_000_000],
  ['file', 'fileBytes', 10_000_000],
  ['stored files', 'storedFiles', 20],
]

/** The share of its mean by which a measure may grow over the second half. */
const MAX_GROWTH = 0.1

/** The least number of samples in the second half for a verdict. */
const MIN_SAMPLES = 10

export interface Verdict {
  readonly lines: readonly string[]
  /** Null if the run was too short to tell. */
  readonly isFlat: boolean | null
}

/** Judges the growth of each measure over the second half of the run, by the least-squares line. */
export function verdictOf(samples: readonly Sample[]): Verdict {
  const half = samples.slice(Math.floor(samples.length / 2))
  if (half.length < MIN_SAMPLES) {
    return { lines: [`too short for a verdict: ${String(samples.length)} samples`], isFlat: null }
  }
  const minutes = (half.at(-1)?.minutes ?? 0) - (half[0]?.minutes ?? 0)
  let isFlat = true
  const lines = MEASURES.map(([name, measure, noise]) => {
    const slope = slopeOf(half.map((sample) => [sample.minutes, sample[measure]]))
    const growth = slope * minutes
    const mean = half.reduce((sum, sample) => sum + sample[measure], 0) / half.length
    const isGrowing = growth > Math.max(noise, mean * MAX_GROWTH)
    if (isGrowing) isFlat = false
    const shown = measure.endsWith('Bytes')
      ? `${inMb(growth)} MB of ${inMb(mean)} MB`
      : `${growth.toFixed(1)} of ${mean.toFixed(1)}`
    return `${name}: ${isGrowing ? 'grows' : 'flat'}, ${shown} in ${minutes.toFixed(1)} minutes`
  })
  return { lines, isFlat }
}
