/** Finds the styles of a spreadsheet that show a number as a date. XLSX has no other way to mark dates. */
import { XmlProblem, type XmlListener } from './xml.ts'

/** Maximum number of styles: the limit of spreadsheet programs. */
const MAX_STYLES = 65_536

const range = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, offset) => first + offset)

/** Built-in date and time formats, including those of East Asian and Thai spreadsheets. */
const DATES: ReadonlySet<number> = new Set([
  ...range(14, 22),
  ...range(27, 36),
  ...range(45, 47),
  ...range(50, 58),
  ...range(71, 81),
])

/** Reads the styles of a spreadsheet. */
export class NumberFormats implements XmlListener {
  readonly #formats = new Map<number, boolean>()
  /** Whether each base style, and each cell style, is a date style. */
  readonly #bases: boolean[] = []
  readonly #styles: boolean[] = []
  #list: boolean[] | null = null

  /** Checks whether the style of this number shows dates. */
  isDate(style: number): boolean {
    return this.#styles[style] ?? false
  }

  opened(name: string, attributes: Readonly<Record<string, string>>): void {
    if (name === 'numFmt') {
      this.#checkCount(this.#formats.size)
      this.#formats.set(Number(attributes['numFmtId']), isDateFormat(attributes['formatCode'] ?? ''))
    } else if (name === 'cellStyleXfs') this.#list = this.#bases
    else if (name === 'cellXfs') this.#list = this.#styles
    else if (name === 'xf' && this.#list) {
      this.#checkCount(this.#list.length)
      this.#list.push(this.#isOfDates(attributes))
    }
  }

  closed(name: string): void {
    if (name === 'cellStyleXfs' || name === 'cellXfs') this.#list = null
  }

  #isOfDates({ numFmtId, xfId }: Readonly<Record<string, string>>): boolean {
    if (numFmtId === undefined) return this.#bases[Number(xfId)] ?? false
    const id = Number(numFmtId)
    return this.#formats.get(id) ?? DATES.has(id)
  }

  #checkCount(count: number): void {
    if (count >= MAX_STYLES) throw new XmlProblem('it has too many styles')
  }
}

/** Maximum characters of a format that are checked; spreadsheet programs allow 255. */
const LONGEST_FORMAT = 1000

/** Checks whether a section has date letters and no number placeholders, outside of texts and escapes. */
const isDateFormat = (format: string): boolean =>
  format
    .slice(0, LONGEST_FORMAT)
    .toLowerCase()
    .replaceAll(/\\.|_.|\*.|"[^"]*"/g, '')
    .replaceAll(/\[([hms]{1,2})\]/g, '$1')
    .replaceAll(/\[[^[\]]*\]/g, '')
    .split(';')
    // Fractions of seconds are no number placeholders.
    .map((section) => section.replaceAll(/s\.0{1,3}/g, 's'))
    .some((section) => /[ymdhs]/.test(section) && !/[0#?]/.test(section))
