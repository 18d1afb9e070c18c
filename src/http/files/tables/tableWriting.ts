/** Writes tables as workbooks and as PDF. Only the heavy work thread loads this file; see tableFiles.ts. */
import { PDFDocument, StandardFonts, type PDFFont, type PDFPage } from 'pdf-lib'
import writeXlsxFile from 'write-excel-file/node'
import { printedText, type FileTable, type Row, type TableToWrite } from './fileTable.ts'

export function writeTable({ kind, pieces, ...head }: TableToWrite): Promise<Uint8Array> {
  const table = { ...head, rows: pieces.flatMap((piece) => JSON.parse(piece) as Row[]) }
  return kind === 'xlsx' ? xlsxFile(table) : pdfFile(table)
}

// ---------------------------------------------------------------- XLSX

const WIDTHS = { text: 34, code: 40, amount: 16, count: 12, date: 12, time: 20 } as const

const DATE_FORMATS = { date: 'yyyy-mm-dd', time: 'yyyy-mm-dd hh:mm:ss' } as const

function xlsxFile({ title, columns, rows }: FileTable): Promise<Buffer> {
  const heads = columns.map((column) => ({ value: column.title, fontWeight: 'bold' as const }))
  const cells = rows.map((row) =>
    columns.map(({ is }, index) => {
      const value = row[index] ?? null
      if (value === null) return null
      return typeof value === 'number'
        ? { value, type: Number, ...(is === 'amount' && { format: '#,##0.00####' }) }
        : is === 'date' || is === 'time'
          ? { value: new Date(`${value.replace(' ', 'T')}Z`), type: Date, format: DATE_FORMATS[is] }
          : { value: value.slice(0, LONGEST_CELL), type: String }
    }),
  )
  const file = writeXlsxFile([heads, ...cells], {
    sheet: title.replaceAll(/[\\/?*[\]:]/g, ' ').slice(0, LONGEST_SHEET_NAME),
    columns: columns.map(({ is }) => ({ width: WIDTHS[is] })),
    stickyRowsCount: 1,
  })
  return file.toBuffer()
}

/** Limits of the format. */
const LONGEST_CELL = 32_767
const LONGEST_SHEET_NAME = 31

// ---------------------------------------------------------------- PDF

/** A4 landscape, in points. */
const PAGE = { width: 842, height: 595, margin: 28 } as const
const TEXT_SIZE = 8
const TITLE_SIZE = 14
const LINE = 13

/** The gap between the content of a column and the next column. */
const GAP = 6

/** A text as it is printed, and its width. */
interface Printed {
  readonly text: string
  readonly width: number
}

/** Writes pages of lines, each with the column headers. */
async function pdfFile({ title, heading = [], columns, rows }: FileTable): Promise<Uint8Array> {
  const document = await PDFDocument.create()
  document.setTitle(title)
  // Fixed dates make the file of the same report identical.
  document.setCreationDate(new Date(0))
  document.setModificationDate(new Date(0))
  const [font, bold] = [await fontOf(StandardFonts.Helvetica), await fontOf(StandardFonts.HelveticaBold)]
  const heads = columns.map((column) => bold.printable(column.title))
  const lines = rows.map((row) =>
    columns.map((column, index) => font.printable(printedText(row[index] ?? null, column))),
  )
  const needs = columns.map(({ is }, index) => ({
    isText: is === 'text',
    need:
      GAP +
      lines.reduce((widest, line) => Math.max(widest, line[index]?.width ?? 0), heads[index]?.width ?? 0),
  }))
  const room = PAGE.width - 2 * PAGE.margin
  const scale = scaleOf(needs, room)
  const size = TEXT_SIZE * scale
  const widths = widthsOf(
    needs.map(({ isText, need }) => ({ isText, need: need * scale })),
    room,
  )

  const writeLine = (page: PDFPage, line: readonly Printed[], y: number, of: Font): void => {
    let x: number = PAGE.margin
    columns.forEach(({ is }, index) => {
      const column = widths[index] ?? 0
      // Widths are measured at the normal size.
      const { text, width } = of.fitting(line[index] ?? NOTHING, column / scale - GAP)
      const shift = is === 'amount' || is === 'count' ? column - (GAP + width) * scale : 0
      page.drawText(text, { x: x + shift, y, size, font: of.font })
      x += column
    })
  }
  const newPage = (): { page: PDFPage; y: number } => {
    const page = document.addPage([PAGE.width, PAGE.height])
    const y = PAGE.height - PAGE.margin - TITLE_SIZE
    page.drawText(bold.printable(title).text, { x: PAGE.margin, y, size: TITLE_SIZE, font: bold.font })
    heading.forEach((text, index) => {
      page.drawText(font.printable(text).text, {
        x: PAGE.margin,
        y: y - (index + 1) * LINE - 2,
        size: TEXT_SIZE,
        font: font.font,
      })
    })
    const below = y - heading.length * LINE
    writeLine(page, heads, below - 2 * LINE, bold)
    return { page, y: below - 3 * LINE }
  }
  let { page, y } = newPage()
  for (const line of lines) {
    if (y < PAGE.margin) ({ page, y } = newPage())
    writeLine(page, line, y, font)
    y -= LINE
  }
  return document.save()

  async function fontOf(name: StandardFonts): Promise<Font> {
    return new Font(await document.embedFont(name))
  }
}

const NOTHING: Printed = { text: '', width: 0 }

interface ColumnNeed {
  readonly isText: boolean
  readonly need: number
}

/** The width of a text column that fits before the font shrinks. */
const USUAL_TEXT = 96

/** The smallest readable scale. */
const MIN_SCALE = 0.65

/** Returns the font scale of a table with many columns. */
function scaleOf(columns: readonly ColumnNeed[], page: number): number {
  const need = columns.reduce(
    (sum, { isText, need: each }) => sum + (isText ? Math.min(each, USUAL_TEXT) : each),
    0,
  )
  return Math.min(1, Math.max(MIN_SCALE, page / need))
}

/**
 * Returns the column widths: as wide as their content, and the rest of the page is shared equally. If the
 * page is too narrow, the widest text columns shrink; numbers and codes are never cut.
 */
function widthsOf(columns: readonly ColumnNeed[], page: number): number[] {
  const texts = columns.filter(({ isText }) => isText).map(({ need }) => need)
  let left = columns.reduce((rest, { isText, need }) => (isText ? rest : rest - need), page)
  let maxWidth = Infinity
  for (const [index, need] of texts.sort((one, other) => one - other).entries()) {
    const share = left / (texts.length - index)
    if (need > share) {
      maxWidth = share
      left = 0
      break
    }
    left -= need
  }
  return columns.map(({ isText, need }) => (isText ? Math.min(need, maxWidth) : need) + left / columns.length)
}

class Font {
  readonly font: PDFFont
  readonly #characters: ReadonlySet<number>

  constructor(font: PDFFont) {
    this.font = font
    this.#characters = new Set(font.getCharacterSet())
  }

  /** Replaces characters that the standard PDF fonts lack with question marks. */
  printable(text: string): Printed {
    return this.#measured(
      Array.from(text.slice(0, LONGEST_PRINTED).normalize('NFC'), (character) =>
        this.#characters.has(character.codePointAt(0) ?? 0) ? character : '?',
      ).join(''),
    )
  }

  /** Shortens the text to the room, with "..." at the end. */
  fitting(printable: Printed, room: number): Printed {
    // Rounding may make a text slightly wider than its own column.
    if (printable.width <= room + 0.01) return printable
    let { text } = printable
    while (text.length > 1 && this.#measured(`${text}...`).width > room) text = text.slice(0, -1)
    return this.#measured(`${text}...`)
  }

  #measured(text: string): Printed {
    return { text, width: this.font.widthOfTextAtSize(text, TEXT_SIZE) }
  }
}

const LONGEST_PRINTED = 120
