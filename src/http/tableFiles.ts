/** A table as a file that a spreadsheet program or a reader of PDF opens. What writes each kind is loaded when it is first asked for. */
import type { PDFFont, PDFPage } from 'pdf-lib'

/** A text, a number as it is, or nothing. */
export type Cell = string | number | null

export interface FileColumn {
  readonly title: string
  /** Amounts have two decimals and stand to the right; counts stand to the right. */
  readonly is: 'text' | 'amount' | 'count'
}

export interface FileTable {
  /** "Income 2026-11" */
  readonly title: string
  readonly columns: readonly FileColumn[]
  readonly rows: readonly (readonly Cell[])[]
}

export const FILE_TYPES = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pdf: 'application/pdf',
} as const

export type FileKind = keyof typeof FILE_TYPES

export function tableFile(kind: FileKind, table: FileTable): Promise<Buffer> {
  switch (kind) {
    case 'csv':
      return csvFile(table)
    case 'xlsx':
      return xlsxFile(table)
    case 'pdf':
      return pdfFile(table)
  }
}

const written = (cell: Cell, { is }: FileColumn): string =>
  cell === null ? '' : typeof cell === 'number' && is === 'amount' ? cell.toFixed(2) : String(cell)

// ---------------------------------------------------------------- CSV

/** With a mark at its beginning, by which spreadsheet programs know that it is UTF-8; no text in it is taken for a formula. */
async function csvFile({ columns, rows }: FileTable): Promise<Buffer> {
  const { stringify } = await import('csv-stringify/sync')
  const lines = rows.map((cells) =>
    columns.map((column, place) => {
      const cell = cells[place] ?? null
      return typeof cell === 'string' ? safe(cell) : written(cell, column)
    }),
  )
  const heads = columns.map(({ title }) => title)
  return Buffer.from(stringify([heads, ...lines], { bom: true, record_delimiter: 'windows' }))
}

/** What a program would take for a formula, with a mark before it that keeps it a text. */
const safe = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text)

// ---------------------------------------------------------------- XLSX

const WIDTHS = { text: 34, amount: 16, count: 12 } as const

async function xlsxFile({ title, columns, rows }: FileTable): Promise<Buffer> {
  const { default: writeXlsxFile } = await import('write-excel-file/node')
  const heads = columns.map((column) => ({ value: column.title, fontWeight: 'bold' as const }))
  const cells = rows.map((row) =>
    columns.map(({ is }, place) => {
      const value = row[place] ?? null
      if (value === null) return null
      return typeof value === 'number'
        ? { value, type: Number, ...(is === 'amount' && { format: '#,##0.00' }) }
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
const PAGE = { width: 842, height: 595, margin: 36 } as const
const TEXT_SIZE = 8
const TITLE_SIZE = 14
const LINE = 13

/** Pages of lines, each with the heads of the columns. */
async function pdfFile({ title, columns, rows }: FileTable): Promise<Buffer> {
  const { PDFDocument, StandardFonts } = await import('pdf-lib')
  const { setImmediate: nextTurn } = await import('node:timers/promises')
  const document = await PDFDocument.create()
  document.setTitle(title)
  // So that the same report is the same file.
  document.setCreationDate(new Date(0))
  document.setModificationDate(new Date(0))
  const font = await document.embedFont(StandardFonts.Helvetica)
  const bold = await document.embedFont(StandardFonts.HelveticaBold)
  const usable = PAGE.width - 2 * PAGE.margin
  const shares = columns.map(({ is }) => WIDTHS[is])
  const whole = shares.reduce((sum, share) => sum + share, 0)
  const widths = shares.map((share) => (usable * share) / whole)

  const writeLine = (page: PDFPage, texts: readonly string[], y: number, of: PDFFont): void => {
    let x: number = PAGE.margin
    columns.forEach(({ is }, place) => {
      const width = widths[place] ?? 0
      const text = fitting(of, texts[place] ?? '', width - 6)
      const shift = is === 'text' ? 0 : width - 6 - of.widthOfTextAtSize(text, TEXT_SIZE)
      page.drawText(text, { x: x + shift, y, size: TEXT_SIZE, font: of })
      x += width
    })
  }
  const newPage = (): { page: PDFPage; y: number } => {
    const page = document.addPage([PAGE.width, PAGE.height])
    const y = PAGE.height - PAGE.margin - TITLE_SIZE
    page.drawText(readable(bold, title), { x: PAGE.margin, y, size: TITLE_SIZE, font: bold })
    writeLine(
      page,
      columns.map((column) => column.title),
      y - 2 * LINE,
      bold,
    )
    return { page, y: y - 3 * LINE }
  }
  let { page, y } = newPage()
  for (const [index, row] of rows.entries()) {
    if (y < PAGE.margin) ({ page, y } = newPage())
    writeLine(
      page,
      columns.map((column, place) => written(row[place] ?? null, column)),
      y,
      font,
    )
    y -= LINE
    if (index % ROWS_IN_A_TURN === ROWS_IN_A_TURN - 1) await nextTurn()
  }
  return Buffer.from(await document.save())
}

const ROWS_IN_A_TURN = 50

const characters = new WeakMap<PDFFont, ReadonlySet<number>>()

/** The text as far as the fonts of every reader have it; for any other character there is a question mark. */
function readable(font: PDFFont, text: string): string {
  const known = characters.get(font) ?? new Set(font.getCharacterSet())
  characters.set(font, known)
  return Array.from(text.normalize('NFC'), (character) =>
    known.has(character.codePointAt(0) ?? 0) ? character : '?',
  ).join('')
}

/** As much of the text as fits, and a sign that there is more. */
function fitting(font: PDFFont, text: string, width: number): string {
  let shown = readable(font, text.slice(0, LONGEST_PRINTED))
  if (font.widthOfTextAtSize(shown, TEXT_SIZE) <= width) return shown
  while (shown.length > 1 && font.widthOfTextAtSize(`${shown}...`, TEXT_SIZE) > width)
    shown = shown.slice(0, -1)
  return `${shown}...`
}

const LONGEST_PRINTED = 120
