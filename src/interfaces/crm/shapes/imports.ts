/** Wire shapes of the import of contacts. Specification part 1, "CRM". */
import { Type } from '@sinclair/typebox'
import { File, Form } from '../../../http/uploads/multipart.ts'
import { Assumed, named, Nullable, OneOf } from '../../../http/schemas/schemas.ts'
import { DUPLICATE_STRATEGIES, MAX_PROBLEMS } from '../../../state/crm/sales/imports.ts'
import { Id, Vertical } from './common.ts'

export const ImportForm = named(
  'ContactImportForm',
  Form({
    file: File(
      'CSV, XLSX or JSON (a list of objects, or a response of GET /contacts).',
      'name,email,company\nAna Castillo,ana@example.com,Harbor Motors\n',
    ),
    duplicate_strategy: OneOf(DUPLICATE_STRATEGIES, {
      default: 'skip',
      description: 'How to handle a row with the e-mail address of an existing contact.',
    }),
    vertical: Type.Optional(Vertical({ description: 'The vertical of contacts whose row has none.' })),
  }),
)

const count = (description: string) => Type.Integer({ minimum: 0, description })

const RowProblem = () =>
  Type.Object({
    row: Type.Integer({
      minimum: 1,
      description:
        'The number of the row in the file. The header is row 1; objects of a JSON list count from 1.',
    }),
    field: Nullable(Type.String({ description: 'null for the row as a whole.' })),
    message: Type.String(),
  })

export const ContactImport = named(
  'ContactImport',
  Assumed(
    'The specification shows no response; the simulator returns the results of the rows.',
    Type.Object({
      import_id: Id('imp_'),
      status: Type.Literal('completed'),
      total_rows: count('Rows that are not empty: the sum of created, updated, skipped and failed.'),
      created: count('Contacts added.'),
      updated: count('Contacts changed.'),
      skipped: count('Duplicates that were left out or would not have changed.'),
      failed: count('Rows that could not be imported.'),
      errors: Type.Array(RowProblem(), {
        description: `The errors of the failed rows; at most ${String(MAX_PROBLEMS)}.`,
      }),
      columns: Type.Array(
        Type.Object({
          column: Type.String({
            description: 'The name of the column in the file.',
            examples: ['First Name'],
          }),
          field: Nullable(
            Type.String({
              description:
                'The field that the column fills: custom_fields.NAME for a custom field; null for a time that the server sets.',
              examples: ['name'],
            }),
          ),
        }),
        { description: 'The field of each column, in the order of the file.' },
      ),
      errors_truncated: Type.Boolean({ description: 'True if errors does not list all errors.' }),
      warnings: Type.Array(RowProblem(), {
        description: `What the import left out of its rows: further e-mail addresses of a cell, and ids of other contacts; at most ${String(MAX_PROBLEMS)}.`,
      }),
    }),
  ),
)
