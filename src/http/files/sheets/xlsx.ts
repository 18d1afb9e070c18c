/** Reads XLSX spreadsheets: the rows of the first visible sheet. */
import { SheetProblem } from './limits.ts'
import { NumberFormats } from './numberFormats.ts'
import { SheetRows, type Workbook } from './sheetRows.ts'
import type { Source } from './source.ts'
import type { TableRow } from './tables.ts'
import { listenTo, readXml, TextPieces, XmlProblem, type XmlListener } from './xml.ts'
import { openArchive, ZipProblem, type Archive } from '../zip.ts'

/** Maximum unpacked bytes of a spreadsheet. */
const LARGEST_UNPACKED = 128 * 1024 * 1024

/** Maximum number of files, including pictures. */
const MAX_FILES = 10_000

/** Maximum number of shared texts, which are in memory while the sheet is read. */
const MAX_TEXTS = 1_000_000

/** Maximum characters of all shared texts. */
const LARGEST_TEXTS = 64 * 1024 * 1024

/** What the reading of a spreadsheet needs beside its file, and what it counts. */
export type Surroundings = Pick<Workbook, 'place' | 'uncomputed'>

/** Yields the non-empty rows. Formulas have the values that were computed when the file was saved. */
export async function* xlsxRows(source: Source, surroundings: Surroundings): AsyncGenerator<TableRow> {
  try {
    const archive = await openArchive('path' in source ? source.path : Buffer.from(source.bytes), {
      unpacked: LARGEST_UNPACKED,
      files: MAX_FILES,
    })
    try {
      yield* rowsOf(archive, surroundings)
    } finally {
      archive.close()
    }
  } catch (error) {
    throw problemOf(error)
  }
}

function problemOf(error: unknown): unknown {
  if (error instanceof ZipProblem && error.code === 'too_large') {
    return new SheetProblem('too_large', `The spreadsheet is too large: ${error.message}.`)
  }
  if (!(error instanceof ZipProblem || error instanceof XmlProblem)) return error
  return new SheetProblem(
    'invalid_format',
    `The file cannot be read as an XLSX spreadsheet: ${error.message.replace(/\.$/, '')}.`,
  )
}

async function* rowsOf(archive: Archive, surroundings: Surroundings): AsyncGenerator<TableRow> {
  const book = new BookListener()
  await listenTo(mustHave(archive, 'xl/workbook.xml'), book)
  const links = new LinkListener(book.sheet)
  await listenTo(mustHave(archive, 'xl/_rels/workbook.xml.rels'), links)
  const texts = new TextListener()
  if (links.texts !== null) await listenTo(mustHave(archive, links.texts), texts)
  const formats = new NumberFormats()
  if (links.styles !== null) await listenTo(mustHave(archive, links.styles), formats)
  if (links.sheet === null) throw new XmlProblem('it has no sheet')
  const rows = new SheetRows({ texts: texts.texts, formats, from1904: book.from1904, ...surroundings })
  yield* readXml(mustHave(archive, links.sheet), rows, () => rows.taken())
}

function mustHave(archive: Archive, path: string): AsyncGenerator<Buffer> {
  const file = archive.file(path)
  if (!file) throw new XmlProblem('a part of it is missing')
  return file
}

/** Finds the first visible sheet, and the epoch of its dates. */
class BookListener implements XmlListener {
  #first: string | null = null
  #visible: string | null = null
  from1904 = false

  get sheet(): string | null {
    return this.#visible ?? this.#first
  }

  opened(name: string, attributes: Readonly<Record<string, string>>): void {
    if (name === 'workbookPr') this.from1904 ||= /^(1|true)$/.test(attributes['date1904'] ?? '')
    else if (name === 'sheet') {
      const id = attributes['id'] ?? null
      this.#first ??= id
      if ((attributes['state'] ?? 'visible') === 'visible') this.#visible ??= id
    }
  }
}

/** Finds the paths of the parts. */
class LinkListener implements XmlListener {
  sheet: string | null = null
  texts: string | null = null
  styles: string | null = null
  readonly #sheetId: string | null

  constructor(sheetId: string | null) {
    this.#sheetId = sheetId
  }

  opened(
    name: string,
    { Id: id, Type: type = '', Target: target = '' }: Readonly<Record<string, string>>,
  ): void {
    if (name !== 'Relationship') return
    const path = target.startsWith('/') ? target.slice(1) : `xl/${target}`
    if (type.endsWith('/worksheet') && id === this.#sheetId) this.sheet = path
    else if (type.endsWith('/sharedStrings')) this.texts = path
    else if (type.endsWith('/styles')) this.styles = path
  }
}

/** Collects the texts to which cells refer by index. */
class TextListener implements XmlListener {
  readonly texts: string[] = []
  #size = 0
  #text: TextPieces | null = null
  #isPhonetic = false
  #isText = false

  opened(name: string): void {
    if (name === 'si') this.#text = new TextPieces()
    else if (name === 't') this.#isText = true
    else if (name === 'rPh') this.#isPhonetic = true
  }

  text(text: string): void {
    if (this.#isText && !this.#isPhonetic) this.#text?.add(text)
  }

  closed(name: string): void {
    if (name === 't') this.#isText = false
    else if (name === 'rPh') this.#isPhonetic = false
    if (name !== 'si' || !this.#text) return
    const text = this.#text.end()
    this.#text = null
    this.#size += text.length
    if (this.texts.length >= MAX_TEXTS || this.#size > LARGEST_TEXTS) {
      throw new SheetProblem('too_large', 'The spreadsheet is too large: it has too many texts.')
    }
    this.texts.push(text)
  }
}
