/**
 * Imports of candidates. Specification part 1, "Recruiting" shows an asynchronous run; its progress is assumed: a hundred
 * rows per second on the workspace's clock, in file order.
 */
import { Type, type TSchema } from '@sinclair/typebox'
import { and, asc, eq, sql } from 'drizzle-orm'
import { take } from '../model/machine.ts'
import { ofWorkspace, query } from '../storage/queries/query.ts'
import { parts, record } from '../storage/records/record.ts'
import { refuse } from '../model/refusal.ts'
import {
  countryCode,
  decimalNumber,
  email,
  id,
  oneOf,
  orNone,
  text,
  upTo,
  urlUpTo,
  whole,
  words,
} from '../storage/shapes.ts'
import type { User } from '../workspace/users.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { addCandidate } from './applications.ts'
import { candidateWithEmail } from './candidates.ts'
import { appendRecruitingEvent } from './events.ts'
import { MAX_LENGTH, MAX_COUNT, MAX_YEARS } from './limits.ts'
import { importMachine } from './machines.ts'
import {
  AVAILABILITIES,
  importRows as rowTable,
  imports as table,
  type DuplicateRow,
  type ImportedColumn,
  type ImportedFields,
  type ImportedRow,
  type RowProblem,
} from './tables.ts'

export type Import = typeof table.$inferSelect

/** The number of rows that one job imports. */
const BATCH_SIZE = 100

/** The delay between two batches, in ms. */
const PAUSE = 1000

/** The maximum number of rows in an import. */
export const MAX_IMPORT_ROWS = 10_000

/** The maximum number of characters of all pending rows, as JSON. */
const MAX_TEXT = 8 * 1024 * 1024

/** The maximum number of errors and of duplicates that an import lists. */
export const MAX_LISTED = 1000

const closed = (properties: Readonly<Record<string, TSchema>>) =>
  Type.Object(properties, { additionalProperties: false })

const problemShape = () =>
  closed({ row: Type.Integer(), field: orNone(Type.String()), message: Type.String() })

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
  snapshot: {
    section: 'recruiting',
    name: 'imports',
    instants: ['startedAt', 'completedAt', 'nextAt'],
    shapes: () => ({
      source: text(MAX_LENGTH.word),
      tags: words(MAX_COUNT.words, MAX_LENGTH.word),
      totalRows: whole(0),
      processed: whole(0),
      created: whole(0),
      duplicates: whole(0),
      failed: whole(0),
      problems: Type.Array(problemShape(), { maxItems: MAX_LISTED }),
      duplicateRows: Type.Array(closed({ row: Type.Integer(), candidate_id: id() }), {
        maxItems: MAX_LISTED,
      }),
      columns: Type.Array(closed({ column: Type.String(), field: orNone(Type.String()) })),
    }),
  },
})

export const importRows = parts(rowTable, {
  snapshot: {
    section: 'recruiting',
    name: 'importRows',
    shapes: () => ({
      rows: Type.Array(
        Type.Union([
          closed({
            row: Type.Integer(),
            fields: closed({
              name: text(MAX_LENGTH.name),
              email: email(),
              phone: orNone(upTo(MAX_LENGTH.phone)),
              country: orNone(countryCode()),
              city: orNone(upTo(MAX_LENGTH.city)),
              experienceYears: orNone(decimalNumber(0, MAX_YEARS)),
              skills: words(MAX_COUNT.words, MAX_LENGTH.word),
              availability: orNone(oneOf(AVAILABILITIES)),
              summary: orNone(upTo(MAX_LENGTH.summary)),
              linkedinUrl: orNone(urlUpTo(MAX_LENGTH.profileUrl)),
              portfolioUrl: orNone(urlUpTo(MAX_LENGTH.profileUrl)),
              source: orNone(text(MAX_LENGTH.word)),
              tags: words(MAX_COUNT.words, MAX_LENGTH.word),
            }),
          }),
          closed({ row: Type.Integer(), problems: Type.Array(problemShape()) }),
        ]),
        { maxItems: BATCH_SIZE },
      ),
    }),
  },
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
      status: importMachine.initial[0],
      source,
      tags,
      totalRows: rows.length,
      processed: 0,
      created: 0,
      duplicates: 0,
      failed: 0,
      problems: [],
      duplicateRows: [],
      columns,
      startedBy: author.id,
      startedAt: now,
      completedAt: null,
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
    problems: problems.slice(0, MAX_LISTED),
    duplicateRows: duplicateRows.slice(0, MAX_LISTED),
  }
}

const fieldsOf = ({ skills, source, tags, ...fields }: ImportedFields, run: Import) => ({
  ...fields,
  technicalSkills: skills,
  source: source ?? run.source,
  tags: [...run.tags, ...tags],
})
