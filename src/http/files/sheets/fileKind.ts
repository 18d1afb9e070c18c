/** Identifies files that are no list of records, so that the refusal can name their type. */
import { encodingOf, headOf, type Source } from './source.ts'

/** Files that users often upload instead of a supported table. */
const NAMED: Readonly<Record<string, string>> = {
  'application/x-cfb': 'an old Excel workbook (.xls)',
  'application/vnd.oasis.opendocument.spreadsheet': 'an OpenDocument spreadsheet (.ods)',
  'application/pdf': 'a PDF document',
  'application/rtf': 'a rich text document',
}

/** Archives may be spreadsheets; the reader checks their content. */
const MAY_BE_A_SPREADSHEET = new Set([
  'application/zip',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
])

/** Control characters that occur in no text except in UTF-16. */
// oxlint-disable-next-line no-control-regex -- these are what it is about
const CONTROLS = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/

/** Bytes that the detection reads. */
const SAMPLE_SIZE = 4100

/** Returns the type of a file, such as "a file of type PNG (image/png)"; null if it may be a list of records. */
export async function kindOf(source: Source): Promise<string | null> {
  const head = (await headOf(source)).subarray(0, SAMPLE_SIZE)
  const start = head.toString('latin1')
  // Text can start with the signature of a binary format.
  if (!CONTROLS.test(start) && !start.startsWith('%PDF-')) return null
  if (encodingOf(head) !== 'utf-8') return null
  const { fileTypeFromBuffer } = await import('file-type')
  const found = await fileTypeFromBuffer(head)
  if (!found || MAY_BE_A_SPREADSHEET.has(found.mime)) return null
  const { ext, mime } = found
  return NAMED[mime] ?? `a file of type ${ext.toUpperCase()} (${mime})`
}
