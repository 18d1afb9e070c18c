/** Minimal spreadsheets: one sheet, inline texts, no compression. */
import { crc32, deflateRawSync } from 'node:zlib'

/** A text, a number, empty, or a formula with its value at the time of saving. */
export type SheetCell = string | number | null | { readonly formula: string; readonly value: number }

/** Additional parts of the workbook, by their relationship: "styles". */
export type Parts = Readonly<Record<string, string>>

/** An XLSX file whose only sheet has this text as its sheet data. */
export const sparseXlsx = (data: string, parts: Parts = {}): Buffer => book(data, undefined, parts)

/** An XLSX file with these rows; with `notes`, also a compressed file that no reader uses. */
export function xlsx(rows: readonly (readonly SheetCell[])[], notes?: string): Buffer {
  return book(rows.map((cells, index) => rowOf(cells, index + 1)).join(''), notes)
}

/** An XLSX file whose first sheet is hidden. */
export const xlsxWithHidden = (hidden: readonly SheetCell[][], visible: readonly SheetCell[][]): Buffer => {
  const dataOf = (rows: readonly SheetCell[][]) =>
    rows.map((cells, index) => rowOf(cells, index + 1)).join('')
  return book(dataOf(visible), undefined, {}, dataOf(hidden))
}

function book(data: string, notes?: string, parts: Parts = {}, hidden?: string): Buffer {
  const others = Object.keys(parts)
  const first = hidden === undefined ? '' : '<sheet name="Hidden" sheetId="2" state="hidden" r:id="rId2"/>'
  return zip({
    '[Content_Types].xml': `${XML}<Types xmlns="${OPC}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${SHEETML}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${SHEETML}.worksheet+xml"/></Types>`,
    '_rels/.rels': `${XML}<Relationships xmlns="${OPC}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `${XML}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${first}<sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${XML}<Relationships xmlns="${OPC}/relationships"><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/>${hidden === undefined ? '' : `<Relationship Id="rId2" Type="${OFFICE}/worksheet" Target="worksheets/sheet2.xml"/>`}${others.map((part) => `<Relationship Id="${part}" Type="${OFFICE}/${part}" Target="${part}.xml"/>`).join('')}</Relationships>`,
    'xl/worksheets/sheet1.xml': `${XML}<worksheet xmlns="${MAIN}"><sheetData>${data}</sheetData></worksheet>`,
    ...(hidden !== undefined && {
      'xl/worksheets/sheet2.xml': `${XML}<worksheet xmlns="${MAIN}"><sheetData>${hidden}</sheetData></worksheet>`,
    }),
    ...Object.fromEntries(others.map((part) => [`xl/${part}.xml`, `${XML}${parts[part] ?? ''}`])),
    ...(notes !== undefined && { 'notes.txt': { text: notes, deflated: true, says: notes.length } }),
  })
}

const XML = '<?xml version="1.0" encoding="UTF-8"?>'
const OPC = 'http://schemas.openxmlformats.org/package/2006'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const SHEETML = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

const rowOf = (cells: readonly SheetCell[], row: number): string =>
  `<row r="${String(row)}">${cells.map((cell, column) => cellOf(cell, column, row)).join('')}</row>`

function cellOf(cell: SheetCell, column: number, row: number): string {
  if (cell === null) return ''
  const place = String.fromCharCode(65 + column) + String(row)
  if (typeof cell === 'string') return `<c r="${place}" t="inlineStr"><is><t>${cell}</t></is></c>`
  if (typeof cell === 'number') return `<c r="${place}"><v>${String(cell)}</v></c>`
  return `<c r="${place}"><f>${cell.formula}</f><v>${String(cell.value)}</v></c>`
}

/** The total unpacked size that the files of an archive declare. */
export function unpackedSize(archive: Buffer): number {
  let size = 0
  for (let at = 0; (at = archive.indexOf('PK\u0001\u0002', at, 'latin1')) >= 0; at++) {
    size += archive.readUInt32LE(at + 24)
  }
  return size
}

/** A file of an archive that is compressed, or that declares a wrong unpacked size. */
export interface ZippedText {
  readonly text: string
  readonly deflated: boolean
  readonly says: number
}

/** A ZIP archive of texts by path. */
export function zip(files: Readonly<Record<string, string | ZippedText>>): Buffer {
  const locals: Buffer[] = []
  const central: Buffer[] = []
  let offset = 0
  for (const [path, file] of Object.entries(files)) {
    const name = Buffer.from(path)
    const plain = Buffer.from(typeof file === 'string' ? file : file.text)
    const isDeflated = typeof file !== 'string' && file.deflated
    const bytes = isDeflated ? deflateRawSync(plain) : plain
    const facts = Buffer.alloc(26)
    facts.writeUInt16LE(20, 0)
    facts.writeUInt16LE(isDeflated ? 8 : 0, 4)
    facts.writeUInt32LE(crc32(plain), 10)
    facts.writeUInt32LE(bytes.length, 14)
    facts.writeUInt32LE(typeof file === 'string' ? plain.length : file.says, 18)
    facts.writeUInt16LE(name.length, 22)
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004', 'latin1'), facts, name, bytes])
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(offset, 10)
    central.push(Buffer.concat([Buffer.from('PK\u0001\u0002\u0014\u0000', 'latin1'), facts, rest, name]))
    locals.push(local)
    offset += local.length
  }
  const directory = Buffer.concat(central)
  const end = Buffer.alloc(22)
  end.write('PK\u0005\u0006', 0, 'latin1')
  end.writeUInt16LE(locals.length, 8)
  end.writeUInt16LE(locals.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...locals, directory, end])
}
