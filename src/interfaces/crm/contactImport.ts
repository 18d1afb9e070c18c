/** The import of contacts. Specification part 1, "CRM". */
import type { Static } from '@sinclair/typebox'
import type { Resource } from '../../http/definition/definition.ts'
import { mustBeUpload, acceptForms } from '../../http/uploads/multipart.ts'
import { routesOf } from '../../http/definition/routes.ts'
import { MAX_COLUMNS, MAX_ROWS, readSheet } from '../../http/files/sheets/index.ts'
import { importContacts, type ImportResult } from '../../state/crm/sales/imports.ts'
import { assumed } from '../../state/model/fidelity.ts'
import { ContactSheet, customFieldProblems } from './contactColumns.ts'
import { ContactImport, ImportForm } from './shapes/imports.ts'

/** The largest imported file, in bytes: 50 MiB. */
const MAX_FILE_SIZE = 50 * 1024 * 1024

export const contactImport: Resource = async (app) => {
  acceptForms(app, { file: MAX_FILE_SIZE })

  routesOf(app, { tag: 'Contacts' })('/contacts/import').post({
    id: 'importContacts',
    summary: 'Import contacts',
    description:
      'Imports the rows of a file in order, each like the body of POST /contacts. Columns are found by name: name, email, phone, company, position, vertical, tags (separated by commas, semicolons or bars, or as a JSON list), custom_fields.NAME, and the names that HubSpot, Pipedrive, Google Contacts and Outlook write, such as First Name, Email Address or Person - Name. Any other column becomes a custom field. The response lists the field of each column. An invalid row is reported with its number in the file, and the other rows are still imported.',
    scope: 'crm:write',
    fidelity: assumed(
      `The specification shows the form and no response. The import is finished when the server responds, and the response counts the results of the rows. A row is a duplicate if a contact or an earlier row has its e-mail address or its id; the id counts only if that contact has no other e-mail address or phone number than the row. Of several e-mail addresses in a cell, the first one counts, without invisible characters. warnings lists the rows for which either matters. The strategy update keeps the fields that the file does not name, needs no name for an existing contact, and counts a row that changes nothing as skipped. CSV is separated by commas, semicolons, tabs or bars, and its first line may name the separator, such as sep=;. It is UTF-8, UTF-16 with a byte order mark, or Windows-1252; all bytes of the file decide which, and a file that is UTF-8 only in part is refused with the row. An apostrophe before a formula is removed. JSON may be a response of GET /contacts. Of a spreadsheet, the first visible sheet is read, with days as dates, times of day as times, and moments in the time zone of the workspace. A file has at most 50 MiB, ${thousands(MAX_ROWS)} rows and ${thousands(MAX_COLUMNS)} columns; an unpacked spreadsheet has at most 128 MiB, and a row at most one mebibyte. If the end of a file cannot be read, no row is imported. A reset of the workspace during the import stops it with a conflict.`,
    ),
    body: ImportForm,
    answers: { 200: ContactImport },
    refuses: ['conflict'],
    async run({ body, workspace, leftovers }) {
      const sheet = await readSheet('file', mustBeUpload('file', body.file), {
        heavyWork: app.heavyWork,
        leftovers,
        workspace,
      })
      const contacts = new ContactSheet(workspace, sheet, body.duplicate_strategy)
      const settings = {
        duplicates: body.duplicate_strategy,
        vertical: body.vertical ?? null,
        problemsOf: customFieldProblems,
      }
      const result = await importContacts(workspace, contacts.rows(), settings)
      return { ...importView(result), columns: contacts.columns }
    },
  })
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
  warnings: result.warnings.map(({ row, field, message }) => ({ row, field, message })),
})
