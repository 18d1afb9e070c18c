/** ZIP archives that are written as a stream: each file is read after the files before it were sent. */
import { PassThrough, Readable } from 'node:stream'

export interface ZippedFile {
  readonly name: string
  readonly text: string
  /** In ms since the epoch. */
  readonly changedAt: number
}

/** Returns the archive of these files. An error of one file ends the stream. */
export async function zipOf(files: AsyncIterator<ZippedFile>): Promise<Readable> {
  const { ZipFile } = await import('yazl')
  const zip = new ZipFile()
  const archive = zip.outputStream.pipe(new PassThrough())
  const addNext = async (): Promise<void> => {
    const next = await files.next()
    if (next.done === true) {
      zip.end()
      return
    }
    const { name, text, changedAt } = next.value
    // Called when the client has read the files before it.
    zip.addReadStreamLazy(name, { mtime: new Date(changedAt) }, (respond) => {
      respond(null, Readable.from([Buffer.from(text)]))
      void addNext().catch(fail)
    })
  }
  const fail = (error: unknown): void => {
    archive.destroy(error as Error)
  }
  zip.on('error', fail)
  await addNext()
  return archive
}
