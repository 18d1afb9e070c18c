/**
 * Imports of candidates. Specification part 1, "Recruiting" shows an asynchronous run; its progress is assumed: a hundred
 * rows per second on the workspace's clock, in file order.
 */
import { and, asc, eq, sql } from 'drizzle-orm'
import { take } from '../model/machine.ts'
import { ofWorkspace, query } from '../storage/queries/query.ts'
import { parts, record } from '../storage/records/record.ts'
import { refuse } from '../model/refusal.ts'
import type { User } from '../workspace/users.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { addCandidate } from './applications.ts'
import { candidateWithEmail } from './candidates.ts'
import { appendRecruitingEvent } from './events.ts'
import { MAX_LISTED } from './limits.ts'
import { importMachine } from './machines.ts'
import type { DuplicateRow, ImportedColumn, ImportedFields, ImportedRow, RowProblem } from './jsonColumns.ts'
import { BATCH_SIZE, importRows as rowTable, imports as table } from './tables.ts'

export type Import = typeof table.$inferSelect

/** The delay between two batches, in ms. */
const PAUSE = 1000

/** The maximum number of rows in an import. */
export const MAX_IMPORT_ROWS = 10_000

/** The maximum number of characters of all pending rows, as JSON. */
const MAX_TEXT = 8 * 1024 * 1024

export const imports = record(table, {
  noun: 'import',
  due: {
    at: 'nextAt',
    when: { status: importMachine.moves.complete.from },
    job: 'recruiting.import.take',
    isProgress: true,
    run: (workspace, run) => {
      importNextBatch(workspace, run)
    },
  },
  snapshot: { section: 'recruiting', name: 'imports' },
})

export const importRows = parts(rowTable, {
  snapshot: { section: 'recruiting', name: 'importRows' },
})

export interface ImportSettings {
  /** The source of candidates whose row has none. */
  readonly source: string | null
  /** Added to the tags of each row. */
  readonly tags: readonly string[]
  /** The field of each column of the file. */
  readonly columns: readonly ImportedColumn[]
}

/** Starts an import of these rows. Due jobs import them as the clock advances. */
export function startImport(
  workspace: Workspace,
  author: User,
  rows: readonly ImportedRow[],
  { source, tags, columns }: ImportSettings,
): Import {
  const size = rows.reduce((sum, row) => sum + JSON.stringify(row).length, 0)
  if (size > MAX_TEXT)
    refuse('too_large', 'The file has too much text for one import. Split it into smaller files.')
  return workspace.write(() => {
    const now = workspace.now()
    const run = imports.insert(workspace, {
      id: workspace.ids.prefixed('imp_'),
      source,
      tags,
      totalRows: rows.length,
      problems: [],
      duplicateRows: [],
      columns,
      startedBy: author.id,
      startedAt: now,
      nextAt: now + PAUSE,
    })
    for (let position = 0; position < rows.length; position += BATCH_SIZE) {
      const batch = rows.slice(position, position + BATCH_SIZE)
      importRows.insert(workspace, { importId: run.id, position, rows: batch })
    }
    return run
  })
}

const nextRows = query((orm) =>
  orm
    .select({ position: rowTable.position, rows: rowTable.rows })
    .from(rowTable)
    .where(and(ofWorkspace(rowTable), eq(rowTable.importId, sql.placeholder('importId'))))
    .orderBy(asc(rowTable.position))
    .limit(2),
)

const removeRows = importRows.removeAll(
  sql`${rowTable.importId} = ${sql.placeholder('importId')} and ${rowTable.position} = ${sql.placeholder('position')}`,
)

/** Imports the next batch, and completes the import after the last one. Call only inside a `write`. */
function importNextBatch(workspace: Workspace, run: Import): void {
  const [batch, following] = nextRows.all(workspace, { importId: run.id })
  const counts = importBatch(workspace, run, batch?.rows ?? [])
  if (batch) removeRows(workspace, { importId: run.id, position: batch.position })
  if (following) {
    imports.update(workspace, run, { ...counts, nextAt: (run.nextAt ?? workspace.now()) + PAUSE })
    return
  }
  const { state, event } = take(importMachine, run.status, 'complete')
  const imported = imports.update(workspace, run, {
    ...counts,
    status: state,
    nextAt: null,
    completedAt: workspace.now(),
  })
  appendRecruitingEvent(workspace, event, run.id, { imported })
}

function importBatch(workspace: Workspace, run: Import, rows: readonly ImportedRow[]) {
  let { created, duplicates, failed } = run
  const problems: RowProblem[] = [...run.problems]
  const duplicateRows: DuplicateRow[] = [...run.duplicateRows]
  for (const row of rows) {
    if ('problems' in row) {
      failed += 1
      problems.push(...row.problems)
      continue
    }
    problems.push(...(row.warnings ?? []))
    const existing = candidateWithEmail(workspace, row.fields.email)
    if (existing) {
      duplicates += 1
      duplicateRows.push({ row: row.row, candidate_id: existing.id })
    } else {
      created += 1
      addCandidate(workspace, fieldsOf(row.fields, run))
    }
  }
  return {
    processed: run.processed + rows.length,
    created,
    duplicates,
    failed,
    problems: [false, true].flatMap((isWarning) =>
      problems.filter((problem) => (problem.isWarning ?? false) === isWarning).slice(0, MAX_LISTED),
    ),
    duplicateRows: duplicateRows.slice(0, MAX_LISTED),
  }
}

const fieldsOf = ({ skills, source, tags, ...fields }: ImportedFields, run: Import) => ({
  ...fields,
  technicalSkills: skills,
  source: source ?? run.source,
  tags: [...run.tags, ...tags],
})
