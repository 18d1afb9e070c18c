/**
 * Reads the texts of a PDF written by pdf-lib, in order: each is a string of hexadecimal digits in a compressed
 * stream.
 */
import { inflateSync } from 'node:zlib'
import { PDFArray, PDFDocument, PDFRawStream, StandardFonts } from 'pdf-lib'

export async function textsOfPdf(bytes: Uint8Array): Promise<string[]> {
  return (await drawnOn(bytes)).flatMap((drawn) =>
    Array.from(drawn.matchAll(/<([0-9A-F]*)> Tj/g), ([, hex = '']) => decoded(hex)),
  )
}

export interface PlacedText {
  readonly text: string
  /** Points from the left and from the bottom of the page. */
  readonly x: number
  readonly y: number
  readonly size: number
  readonly right: number
}

const PLACED = /\/([\w-]+) ([\d.]+) Tf\s(?:[\d.]+ TL\s)?([-\d. ]+) Tm\s<([0-9A-F]*)> Tj/g

/** The horizontal texts of each page, with their positions. */
export async function pagesOfPdf(bytes: Uint8Array): Promise<PlacedText[][]> {
  const measure = await PDFDocument.create()
  const plain = await measure.embedFont(StandardFonts.Helvetica)
  const bold = await measure.embedFont(StandardFonts.HelveticaBold)
  return (await drawnOn(bytes)).map((drawn) =>
    Array.from(drawn.matchAll(PLACED), ([, font = '', size = '', matrix = '', hex = '']) => {
      const [upright, , , , x = 0, y = 0] = matrix.split(' ').map(Number)
      const text = decoded(hex)
      const width = (font.includes('Bold') ? bold : plain).widthOfTextAtSize(text, Number(size))
      return { text, x, y, size: Number(size), right: x + width, isUpright: upright === 1 }
    }).filter(({ isUpright }) => isUpright),
  )
}

/** Node 20 decodes the byte of the euro sign as a control character. */
const decoded = (hex: string): string =>
  new TextDecoder('windows-1252').decode(Buffer.from(hex, 'hex')).replaceAll('\u0080', '€')

/** The drawing operators of each page. */
async function drawnOn(bytes: Uint8Array): Promise<string[]> {
  const pdf = await PDFDocument.load(bytes)
  return pdf.getPages().map(({ node }) => {
    const contents = node.Contents()
    const streams =
      contents instanceof PDFArray ? contents.asArray().map((ref) => pdf.context.lookup(ref)) : [contents]
    return streams
      .map((stream) => {
        if (!(stream instanceof PDFRawStream)) throw new Error('the page has no content')
        return inflateSync(stream.contents).toString('latin1')
      })
      .join('\n')
  })
}
