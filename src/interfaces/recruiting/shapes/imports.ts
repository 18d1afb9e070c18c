/** Imports of candidates on the wire. Specification part 1, "Candidate, interview, evaluation", "Recruiting". */
import { Type } from '@sinclair/typebox'
import { Assumed, assumedValues, Nullable } from '../../../http/schemas/schemas.ts'
import { demoId, Id } from '../../../http/schemas/wireShapes.ts'
import { made, shape } from '../../../http/shapes/shape.ts'
import type { RowProblem } from '../../../state/recruiting/jsonColumns.ts'
import { MAX_LISTED } from '../../../state/recruiting/limits.ts'
import { imports } from '../../../state/recruiting/tables.ts'
import { NamedUser, userView } from './common.ts'

const count = (description: string) => Type.Integer({ minimum: 0, description })

const Problem = () =>
  Type.Object({
    row: Type.Integer({
      description: 'The row in the file. The header is row 1; objects of a JSON list count from 1.',
    }),
    field: Nullable(Type.String({ description: 'null for the row as a whole.' })),
    message: Type.String(),
  })

const problemView = ({ row, field, message }: RowProblem) => ({ row, field, message })

export const CandidateImport = shape({ item: 'CandidateImport' }, imports, {
  fields: () => ({
    import_id: made(Id('imp_'), [imports.id], ([id]) => id),
    status: {
      words: assumedValues(
        'The specification shows only processing. An import is completed after its last row.',
        'completed',
      ),
    },
    total_rows: { schema: count('Rows that are not empty.') },
    processed: { schema: count('Rows processed so far.') },
    created: { schema: count('Candidates created.') },
    duplicates: {
      schema: count('Rows with the e-mail address of an existing candidate. They change nothing.'),
    },
    errors: made(count('Rows with errors, which were not imported.'), [imports.failed], ([failed]) => failed),
    error_rows: made(
      Assumed(
        `The specification does not show it. The simulator returns the errors of the invalid rows, at most the first ${String(MAX_LISTED)}.`,
        Type.Array(Problem()),
      ),
      [imports.problems],
      ([problems]) => problems.filter(({ isWarning }) => !isWarning).map(problemView),
    ),
    warnings: made(
      Assumed(
        `The specification does not show it. The simulator returns what it left out of rows that it imported, at most the first ${String(MAX_LISTED)}.`,
        Type.Array(Problem()),
      ),
      [imports.problems],
      ([problems]) => problems.filter(({ isWarning }) => isWarning).map(problemView),
    ),
    duplicate_rows: {
      assumed: `The specification does not show it. The simulator returns the duplicate rows with the existing candidate, at most the first ${String(MAX_LISTED)}.`,
      schema: Type.Array(Type.Object({ row: Type.Integer(), candidate_id: Id('cand_') })),
    },
    columns: made(
      Assumed(
        'The specification does not show columns. The simulator returns the field of each column of the file.',
        Type.Array(
          Type.Object({
            column: Type.String({
              description: 'The name in the file, shortened to 200 characters.',
              examples: ['Email Address'],
            }),
            field: Nullable(
              Type.String({
                description: 'The field of the candidate. null if the column is ignored.',
                examples: ['email'],
              }),
            ),
          }),
          { description: 'In the order of the file.' },
        ),
      ),
      [imports.columns],
      ([columns]) => [...(columns ?? [])],
    ),
    started_by: made(
      Assumed(
        'The specification does not show it. The simulator returns the user of the key that started the import.',
        NamedUser(),
      ),
      [imports.startedBy],
      ([id], workspace) => userView(id, workspace),
    ),
    started_at: {},
    completed_at: {
      assumed: 'The specification does not show it. It is null while the import is in progress.',
    },
  }),
})

export const ImportId = Type.Object({ import_id: Id('imp_', { examples: [demoId('imp_')] }) })
