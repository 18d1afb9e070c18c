/** The import of contacts. Specification part 1, "CRM". */
import type { Static } from '@sinclair/typebox'
import type { Resource } from '../../http/definition.ts'
import { mustBeUpload, takeForms } from '../../http/multipart.ts'
import { operation } from '../../http/operation.ts'
import { MOST_COLUMNS, MOST_ROWS, readSheet } from '../../http/sheets/index.ts'
import { importContacts, type ImportResult } from '../../state/crm/imports.ts'
import { assumed } from '../../state/fidelity.ts'
import { ContactSheet, customFieldProblems } from './contactColumns.ts'
import { ContactImport, ImportForm } from './schemas/imports.ts'

/** Bytes that an imported file may have: 50 MiB. */
const LARGEST_FILE = 50 * 1024 * 1024

export const contactImport: Resource = async (app) => {
  takeForms(app, { file: LARGEST_FILE })

  app.post(
    '/contacts/import',
    {
      schema: { body: ImportForm },
      config: operation({
        id: 'importContacts',
        summary: 'Import contacts',
        description:
          'Takes the rows of a file in their order, each as the body of POST /contacts. Columns are found by name: name, email, phone, company, position, vertical, tags (separated by commas or semicolons), custom_fields.NAME, and the names that HubSpot, Pipedrive, Google Contacts and Outlook write, such as First Name, Email Address or Person - Name; any other becomes a free field, and the answer says which column went where. A row that cannot be taken is told of by its number in the file, and the others are taken all the same.',
        tag: 'Contacts',
        scope: 'crm:write',
        fidelity: assumed(
          `The form is shown, the answer is not: the import is over when it is answered, with what became of the rows. A duplicate has the e-mail address of a contact that is there or of an earlier row; so has a row with its id; update keeps what the file does not name, needs no name for a contact that is there, and counts a row that changes nothing as skipped; CSV is UTF-8, UTF-16 or Windows-1252, and may say its separator in a first line such as sep=;; JSON may be what GET /contacts answered; of spreadsheets the first sheet that is not hidden is read, days as dates; files have at most 50 MiB, spreadsheets at most 128 MiB unpacked, a file at most ${thousands(MOST_ROWS)} rows and ${thousands(MOST_COLUMNS)} columns, a row at most a mebibyte; of a file that cannot be read to its end nothing is taken; a reset of the workspace meanwhile stops the import, a conflict.`,
        ),
        answers: { 200: ContactImport },
        refuses: ['conflict'],
      }),
    },
    async ({ body, workspace, leftovers }) => {
      const sheet = await readSheet('file', mustBeUpload('file', body.file), {
        heavyWork: app.heavyWork,
        leftovers,
      })
      const contacts = new ContactSheet(sheet, body.duplicate_strategy)
      const settings = {
        duplicates: body.duplicate_strategy,
        vertical: body.vertical ?? null,
        problemsOf: customFieldProblems,
      }
      const result = await importContacts(workspace, contacts.rows(), settings)
      return { ...importView(result), columns: contacts.columns }
    },
  )
}

const thousands = (count: number): string => count.toLocaleString('en')

const importView = (result: ImportResult): Omit<Static<typeof ContactImport>, 'columns'> => ({
  import_id: result.id,
  status: 'completed',
  total_rows: result.total,
  created: result.created,
  updated: result.updated,
  skipped: result.skipped,
  failed: result.failed,
  errors: result.problems.map(({ row, field, message }) => ({ row, field, message })),
  errors_truncated: result.truncated,
})
