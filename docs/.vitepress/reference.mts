/** The reference pages, which scripts/guide.mjs generates from the OpenAPI documents. */
import { readFileSync } from 'node:fs'

export interface ReferencePage {
  /** The interface, such as "payments". */
  readonly name: string
  readonly title: string
  /** The page in Markdown. */
  readonly text: string
}

/** Returns the pages in the order of the interfaces; none if VitePress runs without the script. */
export function referencePages(): readonly ReferencePage[] {
  const file = process.env['GUIDE_REFERENCE']
  return file === undefined ? [] : (JSON.parse(readFileSync(file, 'utf8')) as ReferencePage[])
}
