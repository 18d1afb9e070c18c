/** What a file is that is no list of records, so that a refusal can call it by its name. */
import { encodingOf, headOf, type Source } from './source.ts'

/** Files that people take for tables, and programs do not. */
const NAMED: Readonly<Record<string, string>> = {
  'application/x-cfb': 'an old Excel workbook (.xls)',
  'application/vnd.oasis.opendocument.spreadsheet': 'an OpenDocument spreadsheet (.ods)',
  'application/pdf': 'a PDF document',
  'application/rtf': 'a rich text document',
}

/** Archives, of which spreadsheets are some; what is in them is seen when they are opened. */
const MAY_BE_A_SPREADSHEET = new Set([
  'application/zip',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
])

/** Beside line ends and tabs no text has characters like these, but for one in UTF-16. */
// oxlint-disable-next-line no-control-regex -- these are what it is about
const CONTROLS = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/

/** Bytes that the kind of a file shows in. */
const LOOKED_AT = 4100

/** "a PNG file (image/png)"; null where it may be a list of records. */
export async function kindOf(source: Source): Promise<string | null> {
  const head = (await headOf(source)).subarray(0, LOOKED_AT)
  const start = head.toString('latin1')
  // Texts can begin with the same letters as the files of programs.
  if (!CONTROLS.test(start) && !start.startsWith('%PDF-')) return null
  if (encodingOf(head) !== 'utf-8') return null
  const { fileTypeFromBuffer } = await import('file-type')
  const found = await fileTypeFromBuffer(head)
  if (!found || MAY_BE_A_SPREADSHEET.has(found.mime)) return null
  const { ext, mime } = found
  return NAMED[mime] ?? `a file of type ${ext.toUpperCase()} (${mime})`
}
