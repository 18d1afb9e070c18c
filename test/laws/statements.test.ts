/**
 * The statements of each operation that creates a record, with its event and a delivery. docs/BENCHMARKS.md publishes them;
 * `npx vitest run --project simulator test/laws/statements.test.ts --update` writes them again.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { everyOperation, type Subject } from '../support/examples.ts'
import { ROOT } from '../support/root.ts'
import { withStatements } from '../support/statements.ts'
import { Prepared } from './prepared.ts'

/** The most statements that write, and that read: those of a new conversation, which is assigned and answered. */
const MAX_WRITES = 9
const MAX_READS = 22

interface Counted {
  readonly writes: number
  readonly reads: number
}

const DOC = join(ROOT, 'docs/BENCHMARKS.md')
const SECTION = /(?<=## Statements of a create\n[\s\S]*?\n\n)\|[\s\S]*?\n(?=\n)/

const WRITE = /^\s*(?:insert|update|delete)/i
const TRANSACTION = /^\s*(?:begin|commit|rollback|savepoint|release|pragma|select total_changes)/i

/** Transactions, and the sending of deliveries, which begins when the transaction ends. */
const isOther = (text: string): boolean =>
  TRANSACTION.test(text) || (!/^\s*insert/i.test(text) && /"webhook_(?:deliveries|subscriptions)"/.test(text))

const creates = everyOperation().filter(
  ({ route: { method, operation } }) =>
    method === 'POST' && ('201' in operation.answers || operation.id.startsWith('create')),
)

async function countOf(subject: Subject): Promise<Counted> {
  const { fresh, method, path, query, sent, call } = await new Prepared(subject).fresh()
  const { workspace } = fresh
  await fresh.call('POST', `/_sim/workspaces/${workspace.id}/subscriptions`, {
    body: { interface: subject.route.interface, url: 'http://127.0.0.1:9/' },
  })
  const counted = async (): Promise<string[] | null> => {
    const { result: answer, statements } = await withStatements(() => call(method, path + query, sent))
    const texts = statements.map(({ source }) => source)
    return answer.status < 300 ? texts.filter((text) => !isOther(text)) : null
  }
  const first = await counted()
  // The first create of a workspace also reads its key and subscriptions. Not every example can be created twice.
  const made = (await counted()) ?? first
  if (!made) throw new Error(`${subject.title} refuses its example`)
  const writes = made.filter((text) => WRITE.test(text)).length
  return { writes, reads: made.length - writes }
}

describe('statements of a create', () => {
  const counts = new Map<string, Counted>()

  test.each(creates)('are few: $title', async (subject) => {
    const counted = await countOf(subject)
    counts.set(subject.title, counted)
    expect(counted.writes).toBeLessThanOrEqual(MAX_WRITES)
    expect(counted.reads).toBeLessThanOrEqual(MAX_READS)
  })

  test('are those of docs/BENCHMARKS.md', async () => {
    const rows = [...counts].map(([title, { writes, reads }]) => {
      const [of = '', method = '', path = ''] = title.split(' ')
      return [of, `\`${method} ${path}\``, String(writes), String(reads)]
    })
    const doc = readFileSync(DOC, 'utf8')
    expect(doc).toMatch(SECTION)
    await expect(doc.replace(SECTION, tableOf(rows))).toMatchFileSnapshot(DOC)
  })
})

/** Returns a table in the form of the formatter. */
function tableOf(rows: readonly string[][]): string {
  const all = [['interface', 'operation', 'rows written', 'queries'], ...rows]
  const widths = [0, 1, 2, 3].map((column) => Math.max(...all.map((row) => (row[column] ?? '').length)))
  const lines = all.map(
    (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`,
  )
  const [head = '', ...body] = lines
  return [head, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...body, ''].join('\n')
}
