/** ZIP archives that are made while they are sent: each file is asked for when those before it are on their way. */
import { PassThrough, Readable } from 'node:stream'

export interface ZippedFile {
  readonly name: string
  readonly text: string
  /** In ms since the epoch. */
  readonly changedAt: number
}

/** The archive of these files; what goes wrong with one of them ends the stream. */
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
    // Called when the files before it have been read by whoever gets the archive.
    zip.addReadStreamLazy(name, { mtime: new Date(changedAt) }, (opened) => {
      opened(null, Readable.from([Buffer.from(text)]))
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
