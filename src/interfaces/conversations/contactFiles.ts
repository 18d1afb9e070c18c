/** Contacts as files: an import of CSV, and an export that is sent by e-mail. Specification part 3, "Contact". */
import { Type } from '@sinclair/typebox'
import type { Resource } from '../../http/definition.ts'
import { mustBeUpload, acceptForms } from '../../http/multipart.ts'
import { allowMissingBody, operationsOf } from '../../http/operation.ts'
import { readSheet, type SheetRow } from '../../http/sheets/index.ts'
import {
  contacts as contactRecords,
  contactWithEmail,
  contactWithIdentifier,
  contactWithPhone,
  createContact,
  PHONE,
  updateContact,
  type Contact,
} from '../../state/conversations/contacts.ts'
import { isEmailAddress } from '../../state/emailAddresses.ts'
import { sendEmail, textAttachment } from '../../state/emails.ts'
import { documentedBut } from '../../state/fidelity.ts'
import { refuse, refuseField, Refusal } from '../../state/refusal.ts'
import { Slices } from '../../state/slices.ts'
import type { Workspace } from '../../state/workspace.ts'
import { ACCOUNT, inAccount } from './account.ts'
import { contactsMeeting } from './contacts.ts'
import { matching } from './matching.ts'
import { AccountParams } from './schemas/common.ts'
import { ExportBody, ImportForm } from './schemas/contacts.ts'

/** Bytes that an imported file may have: 10 MiB. */
const LARGEST_FILE = 10 * 1024 * 1024

/** Columns that are fields of a contact; each other one is a custom attribute. */
const COLUMNS = ['id', 'name', 'email', 'phone_number', 'identifier'] as const

const contactOperation = operationsOf({ tag: 'Contacts' })

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
          'A CSV with the columns id, name, email, phone_number and identifier; each other column is a custom attribute. A row whose id, identifier, e-mail or phone number a contact has already changes that one.',
        fidelity: documentedBut(
          'Assumed: the columns; a row with an id that no contact has, or with more custom attributes than one may have, is refused; what becomes of the rows is told in an e-mail to the requester, which counts created and updated contacts, with the rows that were refused as a file; nothing is answered.',
        ),
        answers: { 200: null },
        refuses: ['conflict'],
      }),
    },
    async ({ body, workspace, caller, leftovers }, reply) => {
      const { generation } = workspace
      const upload = mustBeUpload('import_file', body.import_file)
      if (upload.size === 0) refuseField('import_file', 'empty', 'File is blank')
      const sheet = await readSheet('import_file', upload, { heavyWork: app.heavyWork, leftovers })
      if (sheet.columns && !sheet.columns.some((name) => COLUMNS.some((each) => each === plain(name)))) {
        refuseField('import_file', 'no_columns', `The file has none of the columns ${COLUMNS.join(', ')}.`)
      }
      const rows: SheetRow[] = []
      for await (const batch of sheet.batches()) rows.push(...batch)
      if (workspace.generation !== generation) refuse('conflict', 'The workspace was reset meanwhile.')
      await importAll(workspace, rows, caller.user.email)
      return reply.code(200).removeHeader('content-type').send()
    },
  )
}

const plain = (column: string): string => column.trim().toLowerCase()

async function importAll(workspace: Workspace, rows: readonly SheetRow[], to: string): Promise<void> {
  const slices = new Slices()
  const refused: { row: SheetRow; why: string }[] = []
  const count = { created: 0, updated: 0 }
  for (const row of rows) {
    const done = row.problem === undefined ? importRow(workspace, row) : { why: row.problem }
    if (typeof done === 'string') count[done] += 1
    else refused.push({ row, ...done })
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
                stringify([['row', 'error'], ...refused.map(({ row, why }) => [String(row.row), why])]),
              ),
            ],
    })
  })
}

/** Makes or changes the contact of a row; answers which of these it did, or why it can't be. */
function importRow(
  workspace: Workspace,
  { values }: SheetRow,
): 'created' | 'updated' | { readonly why: string } {
  const cells = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [plain(name), String(value).trim()]),
  )
  const { name, email, phone_number: sentPhone, identifier, id, ...others } = cells
  const phoneNumber = sentPhone?.replace(/[\s().-]/g, '')
  if (!id && !name && !email && !phoneNumber && !identifier)
    return { why: 'The row has no id, name, email, phone_number or identifier.' }
  if (email && !isEmailAddress(email)) return { why: `${email} is no e-mail address.` }
  if (phoneNumber && !new RegExp(PHONE).test(phoneNumber))
    return { why: 'Phone number should be in e164 format' }
  const named = id ? contactRecords.find(workspace, id) : undefined
  if (id && !named) return { why: `There is no contact ${id}: leave the id out to create one.` }
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
    if (error instanceof Refusal) return { why: error.message }
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
          'The file is sent to the e-mail of the user whose key it is. Columns that no contact in it has are left out; where none is left, or none is named, it has all there are.',
        fidelity: documentedBut(
          'Assumed: the body, which may be left out; the file is a CSV; nothing is answered, and the e-mail is there by then.',
        ),
        answers: { 200: null },
      }),
    },
    async ({ body, workspace, caller }, reply) => {
      const { payload, column_names: wanted } = body
      const found = payload
        ? await contactsMeeting(workspace, payload, (contact) => contact)
        : await matching(
            contactRecords.walk(workspace),
            () => true,
            (contact) => contact,
          )
      const file = await csvOf(found, wanted)
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

async function csvOf(found: readonly Contact[], wanted?: readonly string[]): Promise<string> {
  const { stringify } = await import('csv-stringify/sync')
  const attributes = new Set(found.flatMap(({ customAttributes }) => Object.keys(customAttributes)))
  const all: readonly string[] = [...new Set([...COLUMNS, ...attributes])]
  const named = (wanted ?? []).filter((column) => all.includes(column))
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
  // What a spreadsheet program would take for a formula gets a mark; a phone number is none.
  return /^[=\-@\t\r]|^\+(?!\d+$)/.test(text) ? `'${text}` : text
}
