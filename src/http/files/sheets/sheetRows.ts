/** Reads the rows of a worksheet from its XML. */
import { parseInstant, UTC } from '../../../state/model/clock.ts'
import { MAX_COLUMNS, tooManyColumns } from './limits.ts'
import type { NumberFormats } from './numberFormats.ts'
import type { Cell, TableRow } from './tables.ts'
import { TextPieces, XmlProblem, type XmlListener } from './xml.ts'

export interface Workbook {
  readonly texts: readonly string[]
  readonly formats: NumberFormats
  /** Whether its dates count from 1904, as in old Macintosh workbooks. */
  readonly from1904: boolean
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
    if (value === null || value === '') return
    if (cell.column >= MAX_COLUMNS) throw tooManyColumns()
    const before = row.cells.at(-1)
    if (before && before[0] >= cell.column)
      throw new XmlProblem(`a cell of row ${String(row.row)} is out of place`)
    row.cells.push([cell.column, value])
  }

  #valueOf({ type, style, value, inline, column }: OpenCell): Cell {
    const wrong = (): never => {
      throw new XmlProblem(`cell ${String(column + 1)} of row ${String(this.#lastRow)} has an invalid value`)
    }
    if (type === 'inlineStr') return inline?.end() ?? null
    const text = value?.end() ?? ''
    if (text === '') return null
    switch (type) {
      case 'str':
        return text
      case 's':
        return this.#workbook.texts[Number(text)] ?? wrong()
      case 'b':
        return text === '1' ? true : text === '0' ? false : wrong()
      case 'e':
        return null
      case 'd': {
        const instant = parseInstant(text, UTC)
        return instant === null ? wrong() : dateOf(new Date(instant))
      }
      case 'n': {
        const number = Number(text)
        if (!Number.isFinite(number)) return wrong()
        return this.#workbook.formats.isDate(style) ? (this.#dateOf(number) ?? wrong()) : number
      }
      default:
        return wrong()
    }
  }

  /** Converts days since the epoch to a date; 25569 days lie between 1899-12-30 and 1970. */
  #dateOf(days: number): string | null {
    const since1900 = this.#workbook.from1904 ? days + 1462 : days
    const instant = new Date(Math.round((since1900 - 25_569) * 86_400_000))
    return Number.isNaN(instant.getTime()) ? null : dateOf(instant)
  }
}

/** Formats a date as "2026-01-31", or as a date-time if it has a time. */
function dateOf(instant: Date): string {
  const text = instant.toISOString()
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, -'T00:00:00.000Z'.length) : text
}

function openInCell(cell: OpenCell, name: string): void {
  if (name === 'v') cell.into = cell.value = new TextPieces()
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
