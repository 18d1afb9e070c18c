/** Reads the rows of a worksheet from its XML. */
import { iso, parseInstant, UTC, type TimezoneSource } from '@suite-sim/kit/time/instants'
import { MAX_COLUMNS, tooManyColumns } from './limits.ts'
import type { NumberFormats } from './numberFormats.ts'
import type { Cell, TableRow } from './tables.ts'
import { TextPieces, XmlProblem, type XmlListener } from './xml.ts'

/** Cells with a formula whose value no program has computed: how many, and the address of the first. */
export interface Uncomputed {
  count: number
  first: string
}

export interface Workbook {
  readonly texts: readonly string[]
  readonly formats: NumberFormats
  /** Whether its dates count from 1904, as in old Macintosh workbooks. */
  readonly from1904: boolean
  /** Has the time zone of its times. */
  readonly place: TimezoneSource
  /** Counts while the rows are read. */
  readonly uncomputed: Uncomputed
}

interface OpenRow {
  readonly row: number
  readonly cells: [column: number, cell: Cell][]
}

/** The open cell. `value` is its content, `inline` its inline text. */
interface OpenCell {
  readonly column: number
  readonly type: string
  readonly style: number
  isFormula: boolean
  value: TextPieces | null
  inline: TextPieces | null
  /** The target of text nodes. */
  into: TextPieces | null
  isPhonetic: boolean
}

export class SheetRows implements XmlListener {
  readonly #workbook: Workbook
  #rows: TableRow[] = []
  #isData = false
  #row: OpenRow | null = null
  #lastRow = 0
  #cell: OpenCell | null = null

  constructor(workbook: Workbook) {
    this.#workbook = workbook
  }

  /** Returns the rows completed since the last call. */
  taken(): TableRow[] {
    const rows = this.#rows
    this.#rows = []
    return rows
  }

  opened(name: string, attributes: Readonly<Record<string, string>>): void {
    if (name === 'sheetData') this.#isData = true
    else if (!this.#isData) return
    else if (name === 'row') this.#openRow(attributes['r'])
    else if (name === 'c') this.#openCell(attributes)
    else if (this.#cell) openInCell(this.#cell, name)
  }

  text(text: string): void {
    const cell = this.#cell
    if (cell && !cell.isPhonetic) cell.into?.add(text)
  }

  closed(name: string): void {
    if (name === 'sheetData') this.#isData = false
    else if (!this.#isData) return
    else if (name === 'row') this.#closeRow()
    else if (name === 'c') this.#closeCell()
    else if (this.#cell) closeInCell(this.#cell, name)
  }

  #openRow(number: string | undefined): void {
    const row = number === undefined ? this.#lastRow + 1 : Number(number)
    if (!Number.isSafeInteger(row) || row <= this.#lastRow || this.#row) {
      throw new XmlProblem(`row ${String(number)} is out of place`)
    }
    this.#row = { row, cells: [] }
    this.#lastRow = row
  }

  #closeRow(): void {
    if (this.#row && this.#row.cells.length > 0) this.#rows.push(this.#row)
    this.#row = null
  }

  #openCell({ r: address = '', t: type = 'n', s: style = '0' }: Readonly<Record<string, string>>): void {
    const column = columnOf(address, this.#row?.row)
    if (column === null || this.#cell) throw new XmlProblem(`cell ${address.slice(0, 20)} is out of place`)
    this.#cell = {
      column,
      type,
      style: Number(style),
      isFormula: false,
      value: null,
      inline: null,
      into: null,
      isPhonetic: false,
    }
  }

  #closeCell(): void {
    const [cell, row] = [this.#cell, this.#row]
    this.#cell = null
    if (!cell || !row) return
    const value = this.#valueOf(cell)
    if (value === null || value === '') {
      // A computed text can be empty.
      if (cell.isFormula && cell.type !== 'e' && !(cell.type === 'str' && cell.value))
        this.#countUncomputed(cell)
      return
    }
    if (cell.column >= MAX_COLUMNS) throw tooManyColumns()
    const before = row.cells.at(-1)
    if (before && before[0] >= cell.column)
      throw new XmlProblem(`a cell of row ${String(row.row)} is out of place`)
    row.cells.push([cell.column, value])
  }

  #countUncomputed({ column }: OpenCell): void {
    const { uncomputed } = this.#workbook
    if (uncomputed.count++ === 0) uncomputed.first = `${lettersOf(column)}${String(this.#lastRow)}`
  }

  #valueOf({ type, style, value, inline, column }: OpenCell): Cell {
    const wrong = (): never => {
      throw new XmlProblem(`cell ${String(column + 1)} of row ${String(this.#lastRow)} has an invalid value`)
    }
    if (type === 'inlineStr') return inline?.end().trim() ?? null
    const text = value?.end() ?? ''
    if (text === '') return null
    switch (type) {
      case 'str':
        return text.trim()
      case 's':
        return this.#workbook.texts[Number(text)]?.trim() ?? wrong()
      case 'b':
        return text === '1' ? true : text === '0' ? false : wrong()
      case 'e':
        return null
      case 'd':
        return this.#written(text) ?? wrong()
      case 'n': {
        const number = Number(text)
        if (!Number.isFinite(number)) return wrong()
        return this.#shown(number, style)
      }
      default:
        return wrong()
    }
  }

  /** Returns a number as its style shows it, or unchanged if that is no date that can be. */
  #shown(days: number, style: number): Cell {
    const { formats, from1904 } = this.#workbook
    const shown = formats.shown(style)
    const time = Math.round(days * DAY)
    if (shown === 'number' || time < 0) return days
    // Day 0 of 1904 is a day; that of 1900 is not.
    if (shown === 'duration' || (time < DAY && !(from1904 && time === 0))) return timeOf(time)
    // 25569 days lie between 1899-12-30 and 1970. Day 60 is February 29 of 1900, which never was.
    const sinceEpoch = from1904 ? time + 1462 * DAY : time < 60 * DAY ? time + DAY : time
    const day = new Date(sinceEpoch - 25_569 * DAY)
    return (Number.isNaN(day.getTime()) ? null : this.#written(day.toISOString().slice(0, -1))) ?? days
  }

  /** Returns a day or a time unchanged, and a time of a day, which is local without an offset, as an instant. */
  #written(text: string): string | null {
    const [, day = '', time = '', offset = ''] = WRITTEN.exec(text) ?? []
    if (day === '') return time === '' ? null : time.replace(ZEROS, '')
    if (offset === '' && time.replace(ZEROS, '') === '00:00') return this.#written(day)
    const instant = parseInstant(text, time === '' ? UTC : this.#workbook.place)
    return instant === null ? null : time === '' ? day : iso(instant)
  }
}

const DAY = 86_400_000

const WRITTEN = /^(\d{4}-\d{2}-\d{2})?(?:(?:^|T)(\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(Z|[+-]\d{2}:?\d{2})?)?$/

/** Seconds, or a part of them, that a time need not show. */
const ZEROS = /(?<=:\d{2})(?::00)?(?:\.0+)?$/

/** Returns "09:30", "09:30:15" or "36:00". */
function timeOf(ms: number): string {
  const hours = Math.floor(ms / 3_600_000)
  const rest = new Date(ms % 3_600_000).toISOString().slice('1970-01-01T00'.length, -1)
  return `${String(hours).padStart(2, '0')}${rest}`.replace(ZEROS, '')
}

function openInCell(cell: OpenCell, name: string): void {
  if (name === 'v') cell.into = cell.value = new TextPieces()
  else if (name === 'f') cell.isFormula = true
  else if (name === 'is') cell.inline = new TextPieces()
  else if (name === 't') cell.into = cell.inline
  else if (name === 'rPh') cell.isPhonetic = true
}

function closeInCell(cell: OpenCell, name: string): void {
  if (name === 'v' || name === 't') cell.into = null
  else if (name === 'rPh') cell.isPhonetic = false
}

/** Returns the column index of an address ("C7" is 2 in row 7); null for another row or an invalid address. */
function columnOf(address: string, row: number | undefined): number | null {
  const [, letters = '', digits] = /^([A-Z]{1,3})(\d{1,7})$/.exec(address) ?? []
  if (letters === '' || Number(digits) !== row) return null
  return Array.from(letters).reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

/** Returns the letters of a column index: "C" for 2. */
const lettersOf = (column: number): string =>
  (column < 26 ? '' : lettersOf(Math.floor(column / 26) - 1)) + String.fromCharCode(65 + (column % 26))
