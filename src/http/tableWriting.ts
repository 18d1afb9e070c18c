/** Writes tables as workbooks and as PDF. Runs in the thread of heavy work, which alone loads it; see tableFiles.ts. */
import { PDFDocument, StandardFonts, type PDFFont, type PDFPage } from 'pdf-lib'
import writeXlsxFile from 'write-excel-file/node'
import { written, type FileTable, type Row, type TableToWrite } from './fileTable.ts'

export function writeTable({ kind, pieces, ...head }: TableToWrite): Promise<Uint8Array> {
  const table = { ...head, rows: pieces.flatMap((piece) => JSON.parse(piece) as Row[]) }
  return kind === 'xlsx' ? xlsxFile(table) : pdfFile(table)
}

// ---------------------------------------------------------------- XLSX

const WIDTHS = { text: 34, code: 40, amount: 16, count: 12 } as const

function xlsxFile({ title, columns, rows }: FileTable): Promise<Buffer> {
  const heads = columns.map((column) => ({ value: column.title, fontWeight: 'bold' as const }))
  const cells = rows.map((row) =>
    columns.map(({ is }, place) => {
      const value = row[place] ?? null
      if (value === null) return null
      return typeof value === 'number'
        ? { value, type: Number, ...(is === 'amount' && { format: '#,##0.00####' }) }
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

/** A4 across, in points. */
const PAGE = { width: 842, height: 595, margin: 28 } as const
const TEXT_SIZE = 8
const TITLE_SIZE = 14
const LINE = 13

/** Between the end of what stands in a column and the next column. */
const GAP = 6

/** A text as it is printed, and how wide that is. */
interface Printed {
  readonly text: string
  readonly width: number
}

/** Pages of lines, each with the heads of the columns. */
async function pdfFile({ title, columns, rows }: FileTable): Promise<Uint8Array> {
  const document = await PDFDocument.create()
  document.setTitle(title)
  // So that the same report is the same file.
  document.setCreationDate(new Date(0))
  document.setModificationDate(new Date(0))
  const [font, bold] = [await fontOf(StandardFonts.Helvetica), await fontOf(StandardFonts.HelveticaBold)]
  const heads = columns.map((column) => bold.printed(column.title))
  const lines = rows.map((row) =>
    columns.map((column, place) => font.printed(written(row[place] ?? null, column))),
  )
  const needs = columns.map(({ is }, place) => ({
    isText: is === 'text',
    need:
      GAP +
      lines.reduce((widest, line) => Math.max(widest, line[place]?.width ?? 0), heads[place]?.width ?? 0),
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
    columns.forEach(({ is }, place) => {
      const column = widths[place] ?? 0
      // Measured at the usual size.
      const { text, width } = of.fitting(line[place] ?? NOTHING, column / scale - GAP)
      const shift = is === 'text' || is === 'code' ? 0 : column - (GAP + width) * scale
      page.drawText(text, { x: x + shift, y, size, font: of.font })
      x += column
    })
  }
  const newPage = (): { page: PDFPage; y: number } => {
    const page = document.addPage([PAGE.width, PAGE.height])
    const y = PAGE.height - PAGE.margin - TITLE_SIZE
    page.drawText(bold.printed(title).text, { x: PAGE.margin, y, size: TITLE_SIZE, font: bold.font })
    writeLine(page, heads, y - 2 * LINE, bold)
    return { page, y: y - 3 * LINE }
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

interface Wanted {
  readonly isText: boolean
  readonly need: number
}

/** Of a column of texts, what a page has room for before its letters get smaller. */
const USUAL_TEXT = 96

/** The smallest letters that are still read. */
const LEAST_SCALE = 0.65

/** How much smaller the letters of a table with many columns are. */
function scaleOf(columns: readonly Wanted[], page: number): number {
  const need = columns.reduce(
    (sum, { isText, need: each }) => sum + (isText ? Math.min(each, USUAL_TEXT) : each),
    0,
  )
  return Math.min(1, Math.max(LEAST_SCALE, page / need))
}

/**
 * As wide as what stands in each column, and what is left of the page is shared out. Where the page has less, the widest
 * columns of texts get less; numbers and codes are told whole.
 */
function widthsOf(columns: readonly Wanted[], page: number): number[] {
  const texts = columns.filter(({ isText }) => isText).map(({ need }) => need)
  let left = columns.reduce((rest, { isText, need }) => (isText ? rest : rest - need), page)
  let most = Infinity
  for (const [place, need] of texts.sort((one, other) => one - other).entries()) {
    const share = left / (texts.length - place)
    if (need > share) {
      most = share
      left = 0
      break
    }
    left -= need
  }
  return columns.map(({ isText, need }) => (isText ? Math.min(need, most) : need) + left / columns.length)
}

class Font {
  readonly font: PDFFont
  readonly #known: ReadonlySet<number>

  constructor(font: PDFFont) {
    this.font = font
    this.#known = new Set(font.getCharacterSet())
  }

  /** The text as far as the fonts of every reader have it; for any other character there is a question mark. */
  printed(text: string): Printed {
    return this.#measured(
      Array.from(text.slice(0, LONGEST_PRINTED).normalize('NFC'), (character) =>
        this.#known.has(character.codePointAt(0) ?? 0) ? character : '?',
      ).join(''),
    )
  }

  /** As much of it as there is room for, and a sign that there is more. */
  fitting(printed: Printed, room: number): Printed {
    // What it was measured by may be a hair wider than its own column.
    if (printed.width <= room + 0.01) return printed
    let { text } = printed
    while (text.length > 1 && this.#measured(`${text}...`).width > room) text = text.slice(0, -1)
    return this.#measured(`${text}...`)
  }

  #measured(text: string): Printed {
    return { text, width: this.font.widthOfTextAtSize(text, TEXT_SIZE) }
  }
}

const LONGEST_PRINTED = 120
