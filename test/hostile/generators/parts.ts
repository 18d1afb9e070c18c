/** Writes the parts of a multipart form without validation. */
import type { Schema, Taken } from '../surface.ts'

export interface Part {
  /** The header lines. */
  readonly head: readonly string[]
  readonly content: Buffer
}

const BOUNDARY = 'hostile-form'

export const partOf = (name: string, content: string | Buffer, filename?: string): Part => ({
  head: [
    `Content-Disposition: form-data; name="${name}"${filename === undefined ? '' : `; filename="${filename}"`}`,
    ...(filename === undefined ? [] : ['Content-Type: application/octet-stream']),
  ],
  content: Buffer.from(content),
})

/** The form of the published example. */
export function exampleParts({ schema, example }: Taken): Part[] {
  const { properties = {} } = schema
  return Object.entries((example ?? {}) as Record<string, unknown>).map(([name, value]) =>
    isFile(properties[name]) ? partOf(name, String(value), 'example.csv') : partOf(name, textOf(value)),
  )
}

export const isFile = (schema: Schema | undefined): boolean => schema?.format === 'binary'

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

export function formBytes(
  parts: readonly Part[],
  ending = `--${BOUNDARY}--\r\n`,
): { type: string; bytes: Buffer } {
  const written = parts.flatMap(({ head, content }) => [
    Buffer.from(`--${BOUNDARY}\r\n${head.map((line) => `${line}\r\n`).join('')}\r\n`, 'latin1'),
    content,
    Buffer.from('\r\n'),
  ])
  return {
    type: `multipart/form-data; boundary=${BOUNDARY}`,
    bytes: Buffer.concat([...written, Buffer.from(ending)]),
  }
}
