/** Wire shapes of the import of contacts. Specification part 1, "CRM". */
import { Type } from '@sinclair/typebox'
import { File, Form } from '../../../http/multipart.ts'
import { Assumed, named, Nullable, OneOf } from '../../../http/schemas.ts'
import { DUPLICATE_STRATEGIES, MAX_PROBLEMS } from '../../../state/crm/imports.ts'
import { Id, Vertical } from './common.ts'

export const ImportForm = named(
  'ContactImportForm',
  Form({
    file: File(
      'CSV, XLSX or JSON (a list of objects, or what GET /contacts answered).',
      'name,email,company\nAna Castillo,ana@example.com,Harbor Motors\n',
    ),
    duplicate_strategy: OneOf(DUPLICATE_STRATEGIES, {
      default: 'skip',
      description: 'What becomes of a row whose e-mail address a contact has already.',
    }),
    vertical: Type.Optional(Vertical({ description: 'For contacts that have none of their own.' })),
  }),
)

const count = (description: string) => Type.Integer({ minimum: 0, description })

export const ContactImport = named(
  'ContactImport',
  Assumed(
    'The specification shows no answer of the import: what became of the rows.',
    Type.Object({
      import_id: Id('imp_'),
      status: Type.Literal('completed'),
      total_rows: count('Rows that hold anything; each is among exactly one of the next four.'),
      created: count('Contacts added.'),
      updated: count('Contacts changed.'),
      skipped: count('Duplicates left out, and those that a row would not have changed.'),
      failed: count('Rows that could not be taken.'),
      errors: Type.Array(
        Type.Object({
          row: Type.Integer({
            minimum: 1,
            description: 'As in the file, where the header is row 1; objects of a JSON list count from 1.',
          }),
          field: Nullable(Type.String({ description: 'null for the row as a whole.' })),
          message: Type.String(),
        }),
        { description: `What is wrong with the rows that failed; the first ${String(MAX_PROBLEMS)}.` },
      ),
      columns: Type.Array(
        Type.Object({
          column: Type.String({ description: 'As it is written in the file.', examples: ['First Name'] }),
          field: Nullable(
            Type.String({
              description:
                'The field that it went to, custom_fields.NAME for a free one; null for a time that a contact has by itself.',
              examples: ['name'],
            }),
          ),
        }),
        { description: 'Which column of the file went where, in their order.' },
      ),
      errors_truncated: Type.Boolean({ description: 'Whether there are more errors than are told.' }),
    }),
  ),
)
