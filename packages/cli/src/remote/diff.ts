/** `suite-sim diff`: prints what changed since a snapshot. */
import { io } from '@suite-sim/kit/terminal/io'
import { printsJson } from '@suite-sim/kit/terminal/output'
import type { WorkspaceSettings } from '@suite-sim/kit/terminal/settings'
import { pathOf, remoteOf } from '@suite-sim/kit/terminal/remote'

export const DIFF_FORMATS = ['json', 'text']

interface DiffSettings extends WorkspaceSettings {
  readonly from?: string
  readonly section?: string
  readonly format?: string
}

interface Page {
  readonly summary: Readonly<Record<string, number>>
  readonly data: readonly unknown[]
  readonly nextCursor: string | null
}

const PAGE = 1000

/** The last line of a page of text, if another page follows. */
const MORE = /^\d+ more: cursor=(\S+)$/

/** Prints all pages. Text is printed page by page; JSON has all records in one list. */
export async function diff(settings: DiffSettings): Promise<void> {
  const { workspace, from, section, format = printsJson(settings) ? 'json' : 'text' } = settings
  const remote = remoteOf(settings)
  const pathAt = (cursor: string | null, as: string): string => {
    const query = new URLSearchParams({ limit: String(PAGE), format: as })
    for (const [name, value] of Object.entries({ from, section, cursor })) if (value) query.set(name, value)
    return `${pathOf(workspace)}/diff?${query.toString()}`
  }
  const data: unknown[] = []
  let cursor: string | null = null
  do {
    if (format === 'text') {
      const page = await remote.text('GET', pathAt(cursor, 'text'))
      const lines = page.trimEnd().split('\n')
      const [, next = null] = MORE.exec(lines.at(-1) ?? '') ?? []
      io().stdout.write(next === null ? page : `${lines.slice(0, -1).join('\n')}\n`)
      cursor = next
    } else {
      const page: Page = await remote.call<Page>('GET', pathAt(cursor, 'json'))
      for (const each of page.data) data.push(each)
      cursor = page.nextCursor
      if (cursor === null) {
        io().stdout.write(`${JSON.stringify({ summary: page.summary, data }, null, 2)}\n`)
      }
    }
  } while (cursor !== null)
}
