/** Finds the styles of a spreadsheet that show a number as a date or a time. XLSX has no other way to mark them. */
import { XmlProblem, type XmlListener } from './xml.ts'

/** Maximum number of styles: the limit of spreadsheet programs. */
const MAX_STYLES = 65_536

const range = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, offset) => first + offset)

/** How a style shows a number: as a day, a time of day or both; as hours, also more than 24; as a number. */
export type Shown = 'moment' | 'duration' | 'number'

/** Built-in date and time formats, including those of East Asian and Thai spreadsheets. */
const MOMENTS: ReadonlySet<number> = new Set([
  ...range(14, 22),
  ...range(27, 36),
  ...range(45, 47),
  ...range(50, 58),
  ...range(71, 81),
])

/** The built-in formats [h]:mm:ss. */
const DURATIONS: ReadonlySet<number> = new Set([46, 79])

/** Reads the styles of a spreadsheet. */
export class NumberFormats implements XmlListener {
  readonly #formats = new Map<number, Shown>()
  readonly #bases: Shown[] = []
  readonly #styles: Shown[] = []
  #list: Shown[] | null = null

  /** Returns what cells of this style show. */
  shown(style: number): Shown {
    return this.#styles[style] ?? 'number'
  }

  opened(name: string, attributes: Readonly<Record<string, string>>): void {
    if (name === 'numFmt') {
      this.#checkCount(this.#formats.size)
      this.#formats.set(Number(attributes['numFmtId']), shownBy(attributes['formatCode'] ?? ''))
    } else if (name === 'cellStyleXfs') this.#list = this.#bases
    else if (name === 'cellXfs') this.#list = this.#styles
    else if (name === 'xf' && this.#list) {
      this.#checkCount(this.#list.length)
      this.#list.push(this.#shownIn(attributes))
    }
  }

  closed(name: string): void {
    if (name === 'cellStyleXfs' || name === 'cellXfs') this.#list = null
  }

  #shownIn({ numFmtId, xfId }: Readonly<Record<string, string>>): Shown {
    if (numFmtId === undefined) return this.#bases[Number(xfId)] ?? 'number'
    const id = Number(numFmtId)
    return this.#formats.get(id) ?? (DURATIONS.has(id) ? 'duration' : MOMENTS.has(id) ? 'moment' : 'number')
  }

  #checkCount(count: number): void {
    if (count >= MAX_STYLES) throw new XmlProblem('it has too many styles')
  }
}

/** Maximum characters of a format that are checked; spreadsheet programs allow 255. */
const LONGEST_FORMAT = 1000

/** Finds a section with letters of a date or a time and no number placeholders, outside of texts and escapes. */
function shownBy(format: string): Shown {
  const letters = format
    .slice(0, LONGEST_FORMAT)
    .toLowerCase()
    .replaceAll(/\\.|_.|\*.|"[^"]*"/g, '')
  const isMoment = letters
    .replaceAll(ELAPSED, '$1')
    .replaceAll(/\[[^[\]]*\]/g, '')
    .split(';')
    // Fractions of seconds are no number placeholders.
    .map((section) => section.replaceAll(/s\.0{1,3}/g, 's'))
    .some((section) => /[ymdhs]/.test(section) && !/[0#?]/.test(section))
  return isMoment ? (letters.search(ELAPSED) < 0 ? 'moment' : 'duration') : 'number'
}

/** Hours, minutes or seconds that are not cut at a day, an hour or a minute. */
const ELAPSED = /\[(h+|m+|s+)\]/g
