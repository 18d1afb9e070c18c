/** Which styles of a spreadsheet show a number as a date, as XLSX has no other way to tell the two apart. */
import { XmlProblem, type XmlListener } from './xml.ts'

/** Styles that a spreadsheet may have: what its makers allow. */
const MAX_STYLES = 65_536

const range = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, place) => first + place)

/** Formats of dates and times that need not be written down, those of East Asian and Thai spreadsheets among them. */
const DATES: ReadonlySet<number> = new Set([
  ...range(14, 22),
  ...range(27, 36),
  ...range(45, 47),
  ...range(50, 58),
  ...range(71, 81),
])

/** Listens to the styles of a spreadsheet. */
export class NumberFormats implements XmlListener {
  readonly #written = new Map<number, boolean>()
  /** Whether each style that others rest on is of dates, and each that cells have. */
  readonly #bases: boolean[] = []
  readonly #styles: boolean[] = []
  #list: boolean[] | null = null

  /** Whether the style of this number shows dates. */
  isDate(style: number): boolean {
    return this.#styles[style] ?? false
  }

  opened(name: string, attributes: Readonly<Record<string, string>>): void {
    if (name === 'numFmt') {
      this.#keep(this.#written.size)
      this.#written.set(Number(attributes['numFmtId']), isDateFormat(attributes['formatCode'] ?? ''))
    } else if (name === 'cellStyleXfs') this.#list = this.#bases
    else if (name === 'cellXfs') this.#list = this.#styles
    else if (name === 'xf' && this.#list) {
      this.#keep(this.#list.length)
      this.#list.push(this.#isOfDates(attributes))
    }
  }

  closed(name: string): void {
    if (name === 'cellStyleXfs' || name === 'cellXfs') this.#list = null
  }

  #isOfDates({ numFmtId, xfId }: Readonly<Record<string, string>>): boolean {
    if (numFmtId === undefined) return this.#bases[Number(xfId)] ?? false
    const id = Number(numFmtId)
    return this.#written.get(id) ?? DATES.has(id)
  }

  #keep(count: number): void {
    if (count >= MAX_STYLES) throw new XmlProblem('it has too many styles')
  }
}

/** Characters of a format that are looked at; those of spreadsheets have at most 255. */
const LONGEST_FORMAT = 1000

/** Whether one of its sections has letters of dates and none of numbers, outside of texts and escapes. */
const isDateFormat = (format: string): boolean =>
  format
    .slice(0, LONGEST_FORMAT)
    .toLowerCase()
    .replaceAll(/\\.|_.|\*.|"[^"]*"/g, '')
    .replaceAll(/\[([hms]{1,2})\]/g, '$1')
    .replaceAll(/\[[^[\]]*\]/g, '')
    .split(';')
    // Fractions of seconds are no numbers.
    .map((section) => section.replaceAll(/s\.0{1,3}/g, 's'))
    .some((section) => /[ymdhs]/.test(section) && !/[0#?]/.test(section))
