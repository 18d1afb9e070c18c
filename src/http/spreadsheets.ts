/** XLSX spreadsheets: their first sheet as rows of cells, once it is sure that they do not fill the memory. */
import { CellAddresses } from './cellAddresses.ts'
import { mustUnpackWithin, ZipProblem } from './zip.ts'

export type SpreadsheetCell = string | number | boolean | Date | null

/** A spreadsheet that can't be read because of what it is; the message says why, in a clause. */
export class UnreadableSpreadsheet extends Error {
  override readonly name = 'UnreadableSpreadsheet'
  readonly code: 'invalid_format' | 'too_large'

  constructor(code: 'invalid_format' | 'too_large', message: string) {
    super(message)
    this.code = code
  }
}

/** Bytes that it may unpack to: some 200,000 rows. The reader needs up to ten times as much memory. */
const LARGEST_SPREADSHEET = 128 * 1024 * 1024

/** Pictures and all. */
const MOST_FILES = 10_000

/** Cells of a sheet, empty ones too. */
const MOST_CELLS = 5_000_000

/**
 * The cells of the first sheet; of formulas, the values that were computed when the file was saved. Throws an
 * UnreadableSpreadsheet for a file that is none; anything else that it throws is no fault of the file.
 */
export async function spreadsheetRows(bytes: Buffer): Promise<SpreadsheetCell[][]> {
  await mustFitMemory(bytes)
  const { readSheet, InvalidInputError, InvalidSpreadsheetError, SheetNotFoundError } =
    await import('read-excel-file/universal')
  const cellsOf = (file: Buffer): Promise<SpreadsheetCell[][]> =>
    readSheet(new Blob([new Uint8Array(file)])) as unknown as Promise<SpreadsheetCell[][]>
  try {
    return await cellsOf(bytes)
  } catch (error) {
    const isTyped = [InvalidInputError, InvalidSpreadsheetError, SheetNotFoundError].some(
      (type) => error instanceof type,
    )
    // The reader has no word of its own for much that a file can lack, and just stumbles. A fault of the server is what
    // a sound file meets as well.
    if (!isTyped) await cellsOf(SOUND_SPREADSHEET)
    throw new UnreadableSpreadsheet('invalid_format', wordsOf(error))
  }
}

async function mustFitMemory(bytes: Buffer): Promise<void> {
  const addresses = new CellAddresses()
  try {
    await mustUnpackWithin(bytes, { unpacked: LARGEST_SPREADSHEET, files: MOST_FILES }, addresses)
  } catch (error) {
    if (!(error instanceof ZipProblem)) throw error
    throw new UnreadableSpreadsheet(
      error.code === 'too_large' ? 'too_large' : 'invalid_format',
      error.message,
    )
  }
  if (addresses.isDisguised) {
    throw new UnreadableSpreadsheet('invalid_format', 'its cells are placed in a way that is not read here')
  }
  if (addresses.area > MOST_CELLS) throw new UnreadableSpreadsheet('too_large', 'its cells lie too far apart')
}

/** A stumble says what the reader was about, and nothing of the file. */
const wordsOf = (error: unknown): string =>
  error instanceof Error && !(error instanceof TypeError)
    ? error.message
    : 'a part of it is missing, or not where it belongs'

/** A sheet of one cell, as small as a spreadsheet can be. */
const SOUND_SPREADSHEET = Buffer.from(
  'UEsDBBQAAAAAAAAAAABjYlCFTAAAAEwAAAAPAAAAeGwvd29ya2Jvb2sueG1sPHdvcmtib29rPjxzaGVldHM+PHNoZWV0IG5h' +
    'bWU9ImEiIHNoZWV0SWQ9IjEiIHI6aWQ9ImEiLz48L3NoZWV0cz48L3dvcmtib29rPlBLAwQUAAAACAAAAAAAvy/RAnQAAACZ' +
    'AAAAGgAAAHhsL19yZWxzL3dvcmtib29rLnhtbC5yZWxzVc4xDsMgDEDRq0Q+AI46dKggU5euVS6AqAmogBF21PT2XdPxL0/f' +
    'Pql4zdwk5S6LPef0eDnwMK3fTg6Sar8hSkhUvRju1I5aIo/qVQyPDTnGHOjOYa/UFC/zfMVx5vHD4y2JSGFa/dhIHXhz1AK4' +
    'WPw/+QFQSwMEFAAAAAAAAAAAANzvexhVAAAAVQAAAAgAAAB4bC9hLnhtbDx3b3Jrc2hlZXQ+PHNoZWV0RGF0YT48cm93IHI9' +
    'IjEiPjxjIHI9IkExIj48dj4xPC92PjwvYz48L3Jvdz48L3NoZWV0RGF0YT48L3dvcmtzaGVldD5QSwECFAAUAAAAAAAAAAAA' +
    'Y2JQhUwAAABMAAAADwAAAAAAAAAAAAAAAAAAAAAAeGwvd29ya2Jvb2sueG1sUEsBAhQAFAAAAAgAAAAAAL8v0QJ0AAAAmQAA' +
    'ABoAAAAAAAAAAAAAAAAAeQAAAHhsL19yZWxzL3dvcmtib29rLnhtbC5yZWxzUEsBAhQAFAAAAAAAAAAAANzvexhVAAAAVQAA' +
    'AAgAAAAAAAAAAAAAAAAAJQEAAHhsL2EueG1sUEsFBgAAAAADAAMAuwAAAKABAAAAAA==',
  'base64',
)
