/** Listens to the sheet of a spreadsheet, and has its rows one by one. */
import { parseInstant, UTC } from '../../state/clock.ts'
import { MAX_COLUMNS, tooManyColumns } from './limits.ts'
import type { NumberFormats } from './numberFormats.ts'
import type { Cell, TableRow } from './tables.ts'
import { TextPieces, XmlProblem, type XmlListener } from './xml.ts'

export interface Workbook {
  readonly texts: readonly string[]
  readonly formats: NumberFormats
  /** Whether its days count from 1904, as those of early Macintoshes do. */
  readonly from1904: boolean
}

interface OpenRow {
  readonly row: number
  readonly cells: [place: number, cell: Cell][]
}

/** A cell whose element is open. `value` is what stands in it, `inline` its text where that stands beside. */
interface OpenCell {
  readonly place: number
  readonly type: string
  readonly style: number
  value: TextPieces | null
  inline: TextPieces | null
  /** Where text goes. */
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

  /** The rows that have ended since this was asked last. */
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
    const place = placeOf(address, this.#row?.row)
    if (place === null || this.#cell) throw new XmlProblem(`cell ${address.slice(0, 20)} is out of place`)
    this.#cell = {
      place,
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
    if (cell.place >= MAX_COLUMNS) throw tooManyColumns()
    const before = row.cells.at(-1)
    if (before && before[0] >= cell.place)
      throw new XmlProblem(`a cell of row ${String(row.row)} is out of place`)
    row.cells.push([cell.place, value])
  }

  #valueOf({ type, style, value, inline, place }: OpenCell): Cell {
    const wrong = (): never => {
      throw new XmlProblem(
        `cell ${String(place + 1)} of row ${String(this.#lastRow)} holds what it cannot hold`,
      )
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

  /** Days since an epoch; 25569 of those since 1899-12-30 lie before 1970. */
  #dateOf(days: number): string | null {
    const since1900 = this.#workbook.from1904 ? days + 1462 : days
    const instant = new Date(Math.round((since1900 - 25_569) * 86_400_000))
    return Number.isNaN(instant.getTime()) ? null : dateOf(instant)
  }
}

/** A day stays a day, "2026-01-31"; one with a time is a date-time. */
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

/** "C7" is 2 in row 7; null in any other row, and for what is no address. */
function placeOf(address: string, row: number | undefined): number | null {
  const [, letters = '', digits] = /^([A-Z]{1,3})(\d{1,7})$/.exec(address) ?? []
  if (letters === '' || Number(digits) !== row) return null
  return Array.from(letters).reduce((place, letter) => place * 26 + letter.charCodeAt(0) - 64, 0) - 1
}
