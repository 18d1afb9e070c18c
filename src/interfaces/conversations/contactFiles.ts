/** The CSV import of contacts, and the export by e-mail. Specification part 3, "Contact". */
import { Type } from '@sinclair/typebox'
import type { Resource } from '../../http/definition/definition.ts'
import { mustBeUpload, acceptForms } from '../../http/uploads/multipart.ts'
import { allowMissingBody, operationsOf } from '../../http/definition/operation.ts'
import { readSheet, type SheetRow } from '../../http/files/sheets/index.ts'
import {
  contacts as contactRecords,
  contactWithEmail,
  contactWithIdentifier,
  contactWithPhone,
  createContact,
  updateContact,
  type Contact,
} from '../../state/conversations/contacts.ts'
import { PHONE } from '../../state/conversations/limits.ts'
import { isEmailAddress } from '../../state/text/emailAddresses.ts'
import { sendEmail, textAttachment } from '../../state/shared/emails.ts'
import { documentedBut } from '../../state/model/fidelity.ts'
import { refuse, refuseField, Refusal } from '../../state/model/refusal.ts'
import { Slices } from '../../state/model/slices.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { ACCOUNT, inAccount } from './account.ts'
import { filterContacts } from './contacts.ts'
import { NO_STATUS } from './operations.ts'
import { selectInSlices } from './selectRecords.ts'
import { AccountParams } from './shapes/common.ts'
import { ExportBody, ImportForm } from './shapes/contactRequests.ts'

/** The largest imported file in bytes: 10 MiB. */
const LARGEST_FILE = 10 * 1024 * 1024

/** Columns that are fields of a contact. Every other column is a custom attribute. */
const COLUMNS = ['id', 'name', 'email', 'phone_number', 'identifier'] as const

const contactOperation = operationsOf({ tag: 'Contacts', assumedStatus: NO_STATUS })

export const contactImport: Resource = async (app) => {
  acceptForms(app, { file: LARGEST_FILE })
  app.post(
    `${ACCOUNT}/contacts/import`,
    {
      preValidation: inAccount(),
      schema: { params: AccountParams, body: ImportForm },
      config: contactOperation({
        id: 'importContacts',
        summary: 'Import contacts',
        description:
          'Imports a CSV file with the columns id, name, email, phone_number and identifier. Every other column is a custom attribute. If a contact with the id, identifier, e-mail address or phone number of a row exists, the row updates it.',
        fidelity: documentedBut(
          'Assumed: the columns. A row with an unknown id or too many custom attributes is refused. The requester receives an e-mail with the number of created and updated contacts, and a file of the refused rows. The response has no body.',
        ),
        answers: { 200: null },
        refuses: ['conflict'],
      }),
    },
    async ({ body, workspace, caller, leftovers }, reply) => {
      const { generation } = workspace
      const upload = mustBeUpload('import_file', body.import_file)
      if (upload.size === 0) refuseField('import_file', 'empty', 'File is blank')
      const sheet = await readSheet('import_file', upload, { heavyWork: app.heavyWork, leftovers, workspace })
      if (sheet.columns && !sheet.columns.some((name) => COLUMNS.some((each) => each === plain(name)))) {
        refuseField(
          'import_file',
          'no_columns',
          `import_file must have at least one of the columns ${COLUMNS.join(', ')}.`,
        )
      }
      const rows: SheetRow[] = []
      for await (const batch of sheet.batches()) rows.push(...batch)
      if (workspace.generation !== generation) {
        refuse('conflict', 'The workspace was reset during the import. Send the file again.')
      }
      await importAll(workspace, rows, caller.user.email)
      return reply.code(200).removeHeader('content-type').send()
    },
  )
}

const plain = (column: string): string => column.trim().toLowerCase()

async function importAll(workspace: Workspace, rows: readonly SheetRow[], to: string): Promise<void> {
  const slices = new Slices()
  const refused: { row: SheetRow; error: string }[] = []
  const count = { created: 0, updated: 0 }
  for (const row of rows) {
    const result = row.problem === undefined ? importRow(workspace, row) : { error: row.problem }
    if (typeof result === 'string') count[result] += 1
    else refused.push({ row, ...result })
    if (slices.isOver) await slices.turn()
  }
  const { stringify } = await import('csv-stringify/sync')
  workspace.write(() => {
    sendEmail(workspace, {
      interface: 'conversations',
      to,
      subject: 'Contact import completed',
      text: [
        `${String(rows.length - refused.length)} of ${String(rows.length)} contacts were imported.`,
        `Created: ${String(count.created)}. Updated: ${String(count.updated)}. Refused: ${String(refused.length)}.`,
        '',
      ].join('\n'),
      attachments:
        refused.length === 0
          ? []
          : [
              textAttachment(
                'failed_contacts.csv',
                'text/csv',
                stringify([['row', 'error'], ...refused.map(({ row, error }) => [String(row.row), error])]),
              ),
            ],
    })
  })
}

/** Creates or updates the contact of a row. Returns which of the two, or the error. */
function importRow(
  workspace: Workspace,
  { values }: SheetRow,
): 'created' | 'updated' | { readonly error: string } {
  const cells = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [plain(name), String(value).trim()]),
  )
  const { name, email, phone_number: sentPhone, identifier, id, ...others } = cells
  const phoneNumber = sentPhone?.replace(/[\s().-]/g, '')
  if (!id && !name && !email && !phoneNumber && !identifier)
    return { error: 'The row must have an id, name, email, phone_number or identifier.' }
  if (email && !isEmailAddress(email)) return { error: `${email} is not an e-mail address.` }
  if (phoneNumber && !new RegExp(PHONE).test(phoneNumber))
    return { error: 'Phone number should be in e164 format' }
  const named = id ? contactRecords.find(workspace, id) : undefined
  if (id && !named) return { error: `There is no contact ${id}. Leave out the id to create a contact.` }
  const known =
    named ??
    (identifier ? contactWithIdentifier(workspace, identifier) : undefined) ??
    (email ? contactWithEmail(workspace, email) : undefined) ??
    (phoneNumber ? contactWithPhone(workspace, phoneNumber) : undefined)
  const fields = {
    ...(name && { name: name.slice(0, 255) }),
    ...(email && { email }),
    ...(phoneNumber && { phoneNumber }),
    ...(identifier && { identifier: identifier.slice(0, 255) }),
    ...(Object.keys(others).length > 0 && { customAttributes: others }),
  }
  try {
    if (known) updateContact(workspace, known, fields)
    else createContact(workspace, fields)
    return known ? 'updated' : 'created'
  } catch (error) {
    if (error instanceof Refusal) return { error: error.message }
    throw error
  }
}

export const contactExport: Resource = async (app) => {
  app.post(
    `${ACCOUNT}/contacts/export`,
    {
      preValidation: [inAccount(), allowMissingBody],
      schema: { params: AccountParams, body: Type.Optional(ExportBody) },
      config: contactOperation({
        id: 'exportContacts',
        summary: 'Export contacts',
        description:
          'Sends the file to the e-mail address of the user of the key. The file leaves out columns that no exported contact has. If no column remains or none is named, it has all columns.',
        fidelity: documentedBut(
          'Assumed: the file is a CSV. The e-mail is sent before the response, which has no body.',
        ),
        answers: { 200: null },
      }),
    },
    async ({ body, workspace, caller }, reply) => {
      const { payload, column_names: columns } = body
      const found = payload
        ? await filterContacts(workspace, payload, (contact) => contact)
        : await selectInSlices(
            contactRecords.walk(workspace),
            () => true,
            (contact) => contact,
          )
      const file = await csvOf(found, columns)
      workspace.write(() => {
        sendEmail(workspace, {
          interface: 'conversations',
          to: caller.user.email,
          subject: 'Your contact export is ready',
          text: `${String(found.length)} contacts are in the attached file.\n`,
          attachments: [textAttachment('contacts.csv', 'text/csv', file)],
        })
      })
      return reply.code(200).removeHeader('content-type').send()
    },
  )
}

async function csvOf(found: readonly Contact[], requested?: readonly string[]): Promise<string> {
  const { stringify } = await import('csv-stringify/sync')
  const attributes = new Set(found.flatMap(({ customAttributes }) => Object.keys(customAttributes)))
  const all: readonly string[] = [...new Set([...COLUMNS, ...attributes])]
  const named = (requested ?? []).filter((column) => all.includes(column))
  const columns = named.length === 0 ? all : named
  const slices = new Slices()
  const lines = [stringify([columns])]
  for (const contact of found) {
    lines.push(stringify([columns.map((column) => cellOf(contact, column))]))
    if (slices.isOver) await slices.turn()
  }
  return lines.join('')
}

function cellOf(
  { id, name, email, phoneNumber, identifier, customAttributes }: Contact,
  column: string,
): string {
  const fields: Readonly<Record<string, unknown>> = {
    id,
    name,
    email,
    phone_number: phoneNumber,
    identifier,
  }
  const value = Object.hasOwn(fields, column) ? fields[column] : customAttributes[column]
  if (value === null || value === undefined) return ''
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  // The apostrophe prevents a spreadsheet program from running the text as a formula. Phone numbers do not need it.
  return /^[=\-@\t\r]|^\+(?!\d+$)/.test(text) ? `'${text}` : text
}
