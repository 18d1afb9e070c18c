/** Wire shapes of the import of candidates. Specification part 1, "Candidate, interview, evaluation", "Recruiting". */
import { Type } from '@sinclair/typebox'
import { File, Form } from '../../../http/uploads/multipart.ts'
import { Assumed, Instant, named, Nullable, OneOf } from '../../../http/schemas/schemas.ts'
import { demoId, Id, Text } from '../../../http/schemas/wireShapes.ts'
import { MAX_LISTED } from '../../../state/recruiting/limits.ts'
import { importMachine } from '../../../state/recruiting/machines.ts'
import { AVAILABILITIES } from '../../../state/recruiting/jsonColumns.ts'
import { Country, DEMO_USER, Email, Words, Years } from './common.ts'

const lengths = 'The specification does not show lengths.'

export const ImportForm = named(
  'CandidateImportForm',
  Form({
    file: File(
      'CSV, XLSX or JSON (a list of objects).',
      'name,email,skills\nIsabel Rojas,isabel.rojas@example.com,"sewing, leather"\n',
    ),
    source: Type.Optional(
      Assumed(lengths, Text(50, 'job_fair', { description: 'The source of rows without one (assumed).' })),
    ),
    tags: Type.Optional(
      Assumed(
        lengths,
        Type.Array(Type.String({ maxLength: 2000 }), {
          maxItems: 50,
          description:
            'Tags for all candidates of the file. Repeat the field, or separate tags by commas (assumed).',
          examples: [['pool', 'autumn']],
        }),
      ),
    ),
  }),
)

const count = (description: string) => Type.Integer({ minimum: 0, description })

export const CandidateImport = named(
  'CandidateImport',
  Type.Object({
    import_id: Id('imp_'),
    status: OneOf(importMachine.states),
    total_rows: count('Rows that are not empty.'),
    processed: count('Rows processed so far.'),
    created: count('Candidates created.'),
    duplicates: count('Rows with the e-mail address of an existing candidate. They change nothing.'),
    errors: Assumed(
      `The specification does not show the form of an error. The simulator returns the errors of the invalid rows, at most the first ${String(MAX_LISTED)}.`,
      Type.Array(
        Type.Object({
          row: Type.Integer({
            description: 'The row in the file. The header is row 1; objects of a JSON list count from 1.',
          }),
          field: Nullable(Type.String({ description: 'null for the row as a whole.' })),
          message: Type.String(),
        }),
      ),
    ),
    failed: Assumed(
      'The specification does not show it.',
      count('Rows with errors, which were not imported.'),
    ),
    duplicate_rows: Assumed(
      `The specification does not show it. The simulator returns the duplicate rows with the existing candidate, at most the first ${String(MAX_LISTED)}.`,
      Type.Array(Type.Object({ row: Type.Integer(), candidate_id: Id('cand_') })),
    ),
    columns: Assumed(
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
    started_by: Assumed(
      'The specification does not show it. The simulator returns the user of the key that started the import.',
      Type.Object({ id: Type.String({ examples: [DEMO_USER] }), name: Nullable(Type.String()) }),
    ),
    started_at: Instant(),
    completed_at: Assumed(
      'The specification does not show it. It is null while the import is in progress.',
      Nullable(Instant()),
    ),
  }),
)

export const ImportId = Type.Object({ import_id: Id('imp_', { examples: [demoId('imp_')] }) })

/** A row of a file after its columns are mapped to fields. */
export const ImportedCandidate = Type.Object({
  name: Text(200, 'Isabel Rojas'),
  email: Email('isabel.rojas@example.com'),
  phone: Type.Optional(Type.String({ maxLength: 40 })),
  country: Type.Optional(Country()),
  city: Type.Optional(Type.String({ maxLength: 100 })),
  experience_years: Type.Optional(Years()),
  skills: Type.Optional(Words(50, ['sewing'])),
  availability: Type.Optional(OneOf(AVAILABILITIES)),
  summary: Type.Optional(Type.String({ maxLength: 5000 })),
  linkedin_url: Type.Optional(Type.String({ format: 'uri', maxLength: 500 })),
  portfolio_url: Type.Optional(Type.String({ format: 'uri', maxLength: 500 })),
  source: Type.Optional(Text(50, 'job_fair')),
  tags: Type.Optional(Words(50, ['pool'])),
})
