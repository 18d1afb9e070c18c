/** Wire shapes of the import of candidates. Specification part 1, "Candidate, interview, evaluation", "Recruiting". */
import { Type } from '@sinclair/typebox'
import { File, Form } from '../../../http/multipart.ts'
import { Assumed, Instant, named, Nullable, OneOf } from '../../../http/schemas.ts'
import { demoId, Id, Text } from '../../../http/wireShapes.ts'
import { MAX_TOLD } from '../../../state/recruiting/imports.ts'
import { importMachine } from '../../../state/recruiting/machines.ts'
import { AVAILABILITIES } from '../../../state/recruiting/tables.ts'
import { Country, DEMO_USER, Email, Words, Years } from './common.ts'

const lengths = 'The specification shows no lengths.'

export const ImportForm = named(
  'CandidateImportForm',
  Form({
    file: File(
      'CSV, XLSX or JSON (a list of objects).',
      'name,email,skills\nIsabel Rojas,isabel.rojas@example.com,"sewing, leather"\n',
    ),
    source: Type.Optional(
      Assumed(lengths, Text(50, 'job_fair', { description: 'For rows that name none (assumed).' })),
    ),
    tags: Type.Optional(
      Assumed(
        lengths,
        Type.Array(Type.String({ maxLength: 2000 }), {
          maxItems: 50,
          description:
            'For all candidates of the file: the field several times, or tags that are separated by commas (assumed).',
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
    total_rows: count('Rows that hold anything.'),
    processed: count('Rows that were taken so far.'),
    created: count('Candidates added.'),
    duplicates: count(
      'Rows of candidates who are there already, by the e-mail address; they change nothing.',
    ),
    errors: Assumed(
      `The specification does not show what an error is: what is wrong with each row that could not be taken; the first ${String(MAX_TOLD)}.`,
      Type.Array(
        Type.Object({
          row: Type.Integer({
            description: 'As in the file, where the header is row 1; objects of a JSON list count from 1.',
          }),
          field: Nullable(Type.String({ description: 'null for the row as a whole.' })),
          message: Type.String(),
        }),
      ),
    ),
    failed: Assumed('How many rows have errors.', count('Rows that could not be taken.')),
    duplicate_rows: Assumed(
      `Which rows are duplicates, and of whom; the first ${String(MAX_TOLD)}.`,
      Type.Array(Type.Object({ row: Type.Integer(), candidate_id: Id('cand_') })),
    ),
    columns: Assumed(
      'Which column of the file went where; the specification shows no columns.',
      Type.Array(
        Type.Object({
          column: Type.String({
            description: 'As the file names it; the first 200 characters.',
            examples: ['Email Address'],
          }),
          field: Nullable(
            Type.String({
              description: 'The field of the candidate; null for a column that is passed over.',
              examples: ['email'],
            }),
          ),
        }),
        { description: 'In the order of the file.' },
      ),
    ),
    started_by: Assumed(
      'Whose key began it.',
      Type.Object({ id: Type.String({ examples: [DEMO_USER] }), name: Nullable(Type.String()) }),
    ),
    started_at: Instant(),
    completed_at: Assumed('null while it goes on.', Nullable(Instant())),
  }),
)

export const ImportId = Type.Object({ import_id: Id('imp_', { examples: [demoId('imp_')] }) })

/** A row of a file, once its columns are told apart. */
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
