/** Prints invoices: lays out their content on the pages of a PDF. Runs in the threads of heavy work. */
import { deflateSync } from 'node:zlib'
import {
  beginText,
  concatTransformationMatrix,
  degrees,
  endText,
  fill,
  PDFContentStream,
  PDFDocument,
  PDFName,
  popGraphicsState,
  pushGraphicsState,
  rectangle,
  rgb,
  setFillingColor,
  setFontAndSize,
  setTextMatrix,
  showText,
  StandardFonts,
  type Color,
  type PDFFont,
  type PDFPage,
} from 'pdf-lib'
import qrcode from 'qrcode-generator'
import type { Printed, PrintedTable } from './printed.ts'

/** US letter, the usual paper size in Mexico. In points. */
const WIDTH = 612
const HEIGHT = 792
const MARGIN = 40
const BOTTOM = 56
const INNER = WIDTH - 2 * MARGIN

const INK = rgb(0.13, 0.15, 0.2)
const PALE = rgb(0.42, 0.45, 0.5)
const ACCENT = rgb(0.1, 0.38, 0.36)
const SHADE = rgb(0.93, 0.95, 0.95)

const QR_SIZE = 110

interface Fonts {
  readonly plain: PDFFont
  readonly bold: PDFFont
}

export async function printInvoice(printed: Printed): Promise<Uint8Array> {
  const pdf = await PDFDocument.create()
  const at = new Date(printed.at)
  pdf.setTitle(printed.title)
  pdf.setLanguage('es-MX')
  pdf.setProducer('Suite Simulator')
  pdf.setCreator('Suite Simulator')
  pdf.setCreationDate(at)
  pdf.setModificationDate(at)
  const fonts = {
    plain: await pdf.embedFont(StandardFonts.Helvetica),
    bold: await pdf.embedFont(StandardFonts.HelveticaBold),
  }
  const sheet = new Sheet(pdf, fonts)
  drawHead(sheet, printed)
  for (const table of printed.tables) drawTable(sheet, table)
  drawSums(sheet, printed)
  drawSeals(sheet, printed)
  const name = sheet.readable(`${printed.title}, folio fiscal ${printed.uuid}`)
  drawFeet(pdf, fonts, printed.isCancelled, name)
  compressPages(pdf)
  return pdf.save()
}

/** Compresses the content of all pages with zlib. pdf-lib would compress it in JavaScript. */
function compressPages({ context }: PDFDocument): void {
  for (const [ref, stream] of context.enumerateIndirectObjects()) {
    if (!(stream instanceof PDFContentStream)) continue
    const content = deflateSync(Buffer.from(stream.getContentsString(), 'latin1'))
    context.assign(ref, context.stream(content, { Filter: 'FlateDecode' }))
  }
}

function addPage(pdf: PDFDocument, fonts: Fonts): PDFPage {
  const page = pdf.addPage([WIDTH, HEIGHT])
  for (const { name, ref } of [fonts.plain, fonts.bold]) page.node.setFontDictionary(PDFName.of(name), ref)
  return page
}

/** Draws a text. PDFPage.drawText would add two fonts to the page with each text. */
function drawText(
  page: PDFPage,
  text: string,
  x: number,
  y: number,
  size: number,
  font: PDFFont,
  color: Color = INK,
): void {
  page.pushOperators(
    beginText(),
    setFillingColor(color),
    setFontAndSize(font.name, size),
    setTextMatrix(1, 0, 0, 1, x, y),
    showText(font.encodeText(text)),
    endText(),
  )
}

/** The current page and the vertical position on it. */
class Sheet {
  readonly #pdf: PDFDocument
  readonly #known: ReadonlySet<number>
  readonly fonts: Fonts
  page: PDFPage
  y = HEIGHT - MARGIN

  constructor(pdf: PDFDocument, fonts: Fonts) {
    this.#pdf = pdf
    this.fonts = fonts
    this.#known = new Set(fonts.plain.getCharacterSet())
    this.page = addPage(pdf, fonts)
  }

  /** Starts a new page if `height` does not fit on this one. Returns whether it did. */
  breakUnlessFits(height: number): boolean {
    if (this.y - height >= BOTTOM) return false
    this.page = addPage(this.#pdf, this.fonts)
    this.y = HEIGHT - MARGIN
    return true
  }

  /** Replaces characters that the fonts do not have with question marks. */
  readable(text: string): string {
    let plain = ''
    for (const character of text.normalize('NFC')) {
      plain += this.#known.has(character.codePointAt(0) ?? 0) ? character : '?'
    }
    return plain
  }

  /** Wraps a text into lines of at most `width`. Breaks words that are wider. */
  lines(text: string, font: PDFFont, size: number, width: number): string[] {
    return text.split('\n').flatMap((paragraph) => {
      const lines: string[] = []
      let line = ''
      for (const word of this.readable(paragraph).split(' ')) {
        let rest = word
        const joined = line === '' ? rest : `${line} ${rest}`
        if (font.widthOfTextAtSize(joined, size) <= width) {
          line = joined
          continue
        }
        if (line !== '') lines.push(line)
        while (font.widthOfTextAtSize(rest, size) > width && rest.length > 1) {
          const fitting = fittingLength(rest, font, size, width)
          lines.push(rest.slice(0, fitting))
          rest = rest.slice(fitting)
        }
        line = rest
      }
      return [...lines, line]
    })
  }

  text(text: string, x: number, y: number, size: number, font = this.fonts.plain, color = INK): void {
    drawText(this.page, text, x, y, size, font, color)
  }

  /** Draws a text that ends at `right`. */
  textEndingAt(text: string, right: number, y: number, size: number, font = this.fonts.plain): void {
    this.text(text, right - font.widthOfTextAtSize(text, size), y, size, font)
  }
}

/** Returns how many characters fit into `width`, at least one. */
function fittingLength(text: string, font: PDFFont, size: number, width: number): number {
  let [low, high] = [1, text.length]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (font.widthOfTextAtSize(text.slice(0, middle), size) <= width) low = middle
    else high = middle - 1
  }
  return low
}

const LABEL = 7
const BODY = 8

const UUID = /^[0-9A-F]{8}(?:-[0-9A-F]{4}){3}-[0-9A-F]{12}$/

/** Returns the font size at which a text fits on one line, at most `maxSize`. */
const fittingSize = (text: string, font: PDFFont, width: number, maxSize: number): number =>
  Math.min(maxSize, (width - 0.1) / font.widthOfTextAtSize(text, 1))

interface Block {
  readonly size: number
  readonly lines: readonly string[]
}

/** Shrinks UUIDs and amounts to one line instead of wrapping them, because people read and copy them as one word. */
function blockOf(sheet: Sheet, text: string, width: number, isOneWord = UUID.test(text)): Block {
  const { plain } = sheet.fonts
  if (!isOneWord) return { size: BODY, lines: sheet.lines(text, plain, BODY, width) }
  const line = sheet.readable(text)
  return { size: fittingSize(line, plain, width, BODY), lines: [line] }
}

type Pairs = readonly (readonly [string, string])[]

const heightOfPairs = (sheet: Sheet, pairs: Pairs, width: number): number =>
  pairs.reduce((sum, [, text]) => sum + LABEL + 6 + blockOf(sheet, text, width).lines.length * (BODY + 2), 0)

/** Draws a column of labels with their texts. Returns the y coordinate of its end. */
function drawPairs(sheet: Sheet, pairs: Pairs, x: number, top: number, width: number): number {
  let y = top
  for (const [label, text] of pairs) {
    sheet.text(label.toUpperCase(), x, y - LABEL, LABEL - 1, sheet.fonts.bold, PALE)
    y -= LABEL + 3
    const { size, lines } = blockOf(sheet, text, width)
    for (const line of lines) {
      sheet.text(line, x, y - BODY, size)
      y -= BODY + 2
    }
    y -= 3
  }
  return y
}

/** The width of the logo with its text. */
const LOGO_WIDTH = 110

function drawLogo(sheet: Sheet, top: number): void {
  const { page, fonts } = sheet
  page.drawRectangle({ x: MARGIN, y: top - 34, width: 34, height: 34, color: ACCENT })
  page.drawEllipse({
    x: MARGIN + 17,
    y: top - 17,
    xScale: 7,
    yScale: 12,
    color: rgb(1, 1, 1),
    rotate: degrees(35),
  })
  sheet.text('CFDI', MARGIN + 42, top - 16, 15, fonts.bold, ACCENT)
  sheet.text('versión 4.0', MARGIN + 42, top - 28, 8, fonts.plain, PALE)
}

function drawHead(sheet: Sheet, { title, facts, issuer, recipient }: Printed): void {
  const top = sheet.y
  drawLogo(sheet, top)
  const heading = sheet.readable(title)
  const size = fittingSize(heading, sheet.fonts.bold, INNER - LOGO_WIDTH, 16)
  sheet.textEndingAt(heading, WIDTH - MARGIN, top - 18, size, sheet.fonts.bold)
  const column = INNER / 3
  const below = top - 48
  sheet.page.drawLine({
    start: { x: MARGIN, y: below + 6 },
    end: { x: WIDTH - MARGIN, y: below + 6 },
    thickness: 1,
    color: ACCENT,
  })
  const ends = [issuer, recipient, facts].map((pairs, index) =>
    drawPairs(sheet, pairs, MARGIN + index * column, below, column - 12),
  )
  sheet.y = Math.min(...ends) - 6
}

const ROW_GAP = 6

/** A row that is not higher than this stays on one page. */
const MAX_UNBROKEN_HEIGHT = 400

function drawTable(sheet: Sheet, { title, columns, rows }: PrintedTable): void {
  const starts = columns.map((_column, index) =>
    columns.slice(0, index).reduce((x, { width }) => x + width * INNER, MARGIN),
  )
  const cell = (text: string, index: number, y: number, font: PDFFont, size = BODY): void => {
    const [x = MARGIN, { width = 0, right = false } = {}] = [starts[index], columns[index]]
    if (right) sheet.textEndingAt(text, x + width * INNER - 3, y, size, font)
    else sheet.text(text, x + 3, y, size, font)
  }
  const drawTitles = (): void => {
    sheet.page.drawRectangle({ x: MARGIN, y: sheet.y - 15, width: INNER, height: 15, color: SHADE })
    columns.forEach(({ title: name }, index) => {
      cell(name, index, sheet.y - 11, sheet.fonts.bold)
    })
    sheet.y -= 18
  }
  const blocks = rows.map((row) =>
    row.map((text, index) => {
      const { width = 0, right = false } = columns[index] ?? {}
      return blockOf(sheet, text, width * INNER - 6, right || UUID.test(text))
    }),
  )
  const heightOf = (cells: readonly Block[]): number =>
    Math.min(Math.max(...cells.map(({ lines }) => lines.length)) * (BODY + 2) + ROW_GAP, MAX_UNBROKEN_HEIGHT)
  // Keeps the title on the same page as the first row.
  sheet.breakUnlessFits(34 + heightOf(blocks[0] ?? []))
  sheet.text(title, MARGIN, sheet.y - 10, 10, sheet.fonts.bold, ACCENT)
  sheet.y -= 16
  drawTitles()
  for (const cells of blocks) {
    const count = Math.max(...cells.map(({ lines }) => lines.length))
    if (sheet.breakUnlessFits(heightOf(cells))) drawTitles()
    for (let line = 0; line < count; line++) {
      if (sheet.breakUnlessFits(BODY + 2)) drawTitles()
      cells.forEach(({ lines, size }, index) => {
        const text = lines[line]
        if (text !== undefined) cell(text, index, sheet.y - BODY, sheet.fonts.plain, size)
      })
      sheet.y -= BODY + 2
    }
    sheet.page.drawLine({
      start: { x: MARGIN, y: sheet.y - 1 },
      end: { x: WIDTH - MARGIN, y: sheet.y - 1 },
      thickness: 0.4,
      color: SHADE,
    })
    sheet.y -= ROW_GAP
  }
}

function drawSums(sheet: Sheet, { totals, inWords, conditions }: Printed): void {
  const left = [...(inWords === null ? [] : [['Importe con letra', inWords] as const]), ...conditions]
  const width = INNER * 0.5
  sheet.breakUnlessFits(Math.max(totals.length * 13, heightOfPairs(sheet, left, width)) + 12)
  const top = sheet.y - 4
  const end = drawPairs(sheet, left, MARGIN, top, width)
  // The widest amount, usually the total, sets the width of the column.
  const amounts = Math.max(...totals.map(([, text]) => sheet.fonts.bold.widthOfTextAtSize(text, 10)))
  let y = top
  totals.forEach(([label, text], index) => {
    const isLast = index === totals.length - 1
    const font = isLast ? sheet.fonts.bold : sheet.fonts.plain
    sheet.textEndingAt(label, WIDTH - MARGIN - amounts - 16, y - 9, isLast ? 10 : 9, font)
    sheet.textEndingAt(text, WIDTH - MARGIN, y - 9, isLast ? 10 : 9, font)
    y -= 13
  })
  sheet.y = Math.min(end, y) - 8
}

function drawSeals(sheet: Sheet, { seals, address }: Printed): void {
  const width = INNER - QR_SIZE - 14
  const size = 6
  const blocks = seals.map(([label, text]) => ({
    label,
    lines: sheet.lines(text, sheet.fonts.plain, size, width),
  }))
  const height = blocks.reduce((sum, { lines }) => sum + 12 + lines.length * (size + 1.5), 0)
  sheet.breakUnlessFits(Math.max(height, QR_SIZE + 6))
  drawCode(sheet.page, address, MARGIN, sheet.y - QR_SIZE)
  const x = MARGIN + QR_SIZE + 14
  for (const { label, lines } of blocks) {
    sheet.text(label, x, sheet.y - LABEL, LABEL, sheet.fonts.bold, PALE)
    sheet.y -= LABEL + 3
    for (const line of lines) {
      sheet.text(line, x, sheet.y - size, size)
      sheet.y -= size + 1.5
    }
    sheet.y -= 2
  }
}

/** Draws the QR code as one path: a rectangle for each run of dark modules in a row. */
function drawCode(page: PDFPage, text: string, x: number, y: number): void {
  const code = qrcode(0, 'M')
  code.addData(text, 'Byte')
  code.make()
  const count = code.getModuleCount()
  // QR readers expect a quiet zone of four modules on each side.
  const side = QR_SIZE / (count + 8)
  page.pushOperators(
    pushGraphicsState(),
    concatTransformationMatrix(side, 0, 0, -side, x, y + QR_SIZE),
    setFillingColor(rgb(0, 0, 0)),
  )
  for (let row = 0; row < count; row++) {
    for (let column = 0; column < count; column++) {
      const start = column
      while (column < count && code.isDark(row, column)) column++
      if (column > start) page.pushOperators(rectangle(start + 4, row + 4, column - start, 1))
    }
  }
  page.pushOperators(fill(), popGraphicsState())
}

const NOTE =
  'Este documento es una representación impresa de un CFDI. Emitido por un simulador: no tiene validez fiscal.'

function drawFeet(pdf: PDFDocument, { plain, bold }: Fonts, isCancelled: boolean, name: string): void {
  const pages = pdf.getPages()
  pages.forEach((page, index) => {
    drawText(page, NOTE, MARGIN, 34, 7, plain, PALE)
    // Pages after the first have no header, so the footer names the invoice.
    if (index > 0) drawText(page, name, MARGIN, 44, 7, plain, PALE)
    const number = `Página ${String(index + 1)} de ${String(pages.length)}`
    drawText(page, number, WIDTH - MARGIN - plain.widthOfTextAtSize(number, 7), 34, 7, plain, PALE)
    if (!isCancelled) return
    page.drawText('CANCELADO', {
      x: 130,
      y: 300,
      size: 72,
      font: bold,
      color: rgb(0.75, 0.1, 0.1),
      opacity: 0.18,
      rotate: degrees(35),
    })
  })
}
