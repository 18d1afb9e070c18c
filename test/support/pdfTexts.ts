/** The texts that a PDF of pdf-lib draws, in their order: each is a string of hexadecimal digits in a compressed stream. */
import { inflateSync } from 'node:zlib'
import { PDFArray, PDFDocument, PDFRawStream } from 'pdf-lib'

export async function textsOfPdf(bytes: Uint8Array): Promise<string[]> {
  const pdf = await PDFDocument.load(bytes)
  return pdf.getPages().flatMap(({ node }) => {
    const contents = node.Contents()
    const streams =
      contents instanceof PDFArray ? contents.asArray().map((ref) => pdf.context.lookup(ref)) : [contents]
    return streams.flatMap((stream) => {
      if (!(stream instanceof PDFRawStream)) throw new Error('the page has no content')
      const drawn = inflateSync(stream.contents).toString('latin1')
      return Array.from(drawn.matchAll(/<([0-9A-F]*)> Tj/g), ([, hex = '']) =>
        new TextDecoder('windows-1252').decode(Buffer.from(hex, 'hex')),
      )
    })
  })
}
