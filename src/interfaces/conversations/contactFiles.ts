/** The CSV import of contacts, and the export by e-mail. Specification part 3, "Contact". */
import { Type } from '@sinclair/typebox'
import type { Resource } from '../../http/definition/definition.ts'
import { routesOf } from '../../http/definition/routes.ts'
import { mustBeUpload, acceptForms } from '../../http/uploads/multipart.ts'
import { allowMissingBody } from '../../http/definition/operation.ts'
import type { CellNote } from '../../http/files/sheets/cells.ts'
import { escapeFormula } from '@suite-sim/kit/text/escaping'
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
import { emailKey, isEmailAddress } from '../../state/text/emailAddresses.ts'
import { sendEmail, textAttachment } from '../../state/shared/emails.ts'
import { documentedBut } from '../../state/model/fidelity.ts'
import { refuse, refuseField, Refusal } from '../../state/model/refusal.ts'
import { Slices } from '../../state/model/slices.ts'
import { say, type Spoken } from '../../state/text/languages.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { ACCOUNT, inAccount } from './account.ts'
import { contactOf, ExportColumns, FIELDS, namesContacts, type ImportedContact } from './contactColumns.ts'
import { filterContacts } from './contacts.ts'
import { EMAIL_TEXTS } from './emailTexts.ts'
import { NO_STATUS } from './operations.ts'
import { selectInSlices } from './selectRecords.ts'
import { AccountParams } from './shapes/common.ts'
import { ExportBody, ImportForm } from './shapes/contactRequests.ts'

/** The largest imported file in bytes: 10 MiB. */
const LARGEST_FILE = 10 * 1024 * 1024

export const contactImport: Resource = async (app) => {
  const at = routesOf(app, { tag: 'Contacts', assumedStatus: NO_STATUS })

  acceptForms(app, { file: LARGEST_FILE })
  at(`${ACCOUNT}/contacts/import`, { params: AccountParams }).post({
    id: 'importContacts',
    summary: 'Import contacts',
    description:
      'Imports a CSV file with the columns id, name (or first_name and last_name), email, phone_number and identifier. city, country, country_code and company are additional attributes. Every other column is a custom attribute. If a contact with the id, identifier, e-mail address or phone number of a row exists, the row updates it. An id counts only if the contact has no other e-mail address, phone number or identifier than the row.',
    fidelity: documentedBut(
      'Assumed: the columns, in any case and with spaces, and the names that other programs write, such as First Name, E-mail or Phone Number; custom_attributes.NAME is always a custom attribute. Of several e-mail addresses in a cell, the first one counts. A phone number without a plus gets one. A row with an id that does not count goes by its other fields. A row with too many custom attributes is refused. The requester receives an e-mail with the number of created and updated contacts, a file of the refused rows, and a file of warnings about the others. The response has no body.',
    ),
    body: ImportForm,
    before: inAccount(),
    answers: { 200: null },
    refuses: ['conflict'],
    async run({ body, workspace, caller, leftovers }) {
      const { generation } = workspace
      const upload = mustBeUpload('import_file', body.import_file)
      if (upload.size === 0) refuseField('import_file', 'empty', 'File is blank')
      const sheet = await readSheet('import_file', upload, { heavyWork: app.heavyWork, leftovers, workspace })
      if (sheet.columns && !namesContacts(sheet.columns)) {
        refuseField(
          'import_file',
          'no_columns',
          `import_file must have at least one of the columns ${FIELDS.join(', ')}.`,
        )
      }
      const rows: SheetRow[] = []
      for await (const batch of sheet.batches()) rows.push(...batch)
      if (workspace.generation !== generation) {
        refuse('conflict', 'The workspace was reset during the import. Send the file again.')
      }
      await importAll(workspace, rows, caller.user.email)
    },
  })
}

async function importAll(workspace: Workspace, rows: readonly SheetRow[], to: string): Promise<void> {
  const slices = new Slices()
  const refused: string[][] = []
  const noted: string[][] = []
  const count = { created: 0, updated: 0, refused: 0 }
  for (const row of rows) {
    const imported = importRow(workspace, row)
    count[imported.result] += 1
    const number = String(row.row)
    if (imported.result === 'refused') refused.push([number, imported.error])
    noted.push(...imported.notes.map(({ field, message }) => [number, field, message]))
    if (slices.isOver) await slices.turn()
  }
  const { stringify } = await import('csv-stringify/sync')
  const attached = (name: string, heads: string[], lines: readonly string[][]) =>
    lines.length === 0
      ? []
      : [
          textAttachment(
            name,
            'text/csv',
            stringify([heads, ...lines.map((line) => line.map(escapeFormula))]),
          ),
        ]
  workspace.write(() => {
    sendEmail(workspace, {
      interface: 'conversations',
      to,
      subject: EMAIL_TEXTS.imported,
      text: importText(count, rows.length, noted.length),
      attachments: [
        ...attached('failed_contacts.csv', ['row', 'error'], refused),
        ...attached('warnings.csv', ['row', 'field', 'warning'], noted),
      ],
    })
  })
}

function importText(
  { created, updated, refused }: Readonly<Record<Imported['result'], number>>,
  all: number,
  noted: number,
): Spoken {
  const { ofAll, counts, warnings } = EMAIL_TEXTS
  const done = ofAll(String(all - refused), String(all))
  const results = counts(String(created), String(updated), String(refused))
  const text = say`${done}\n${results}\n`
  return noted > 0 ? say`${text}${warnings(String(noted))}\n` : text
}

type Imported = { readonly notes: readonly CellNote[] } & (
  | { readonly result: 'created' | 'updated' }
  | { readonly result: 'refused'; readonly error: string }
)

/** Creates or updates the contact of a row. */
function importRow(workspace: Workspace, { values, problem }: SheetRow): Imported {
  const refused = (error: string): Imported => ({ result: 'refused', error, notes: [] })
  if (problem !== undefined) return refused(problem)
  try {
    const { id, notes, ...row } = contactOf(values)
    const { name, email, phoneNumber, identifier, customAttributes, additionalAttributes } = row
    if (email && !isEmailAddress(email)) return refused(`${email} is not an e-mail address.`)
    if (phoneNumber && !new RegExp(PHONE).test(phoneNumber)) {
      return refused('Phone number should be in e164 format')
    }
    const named = id ? contactRecords.find(workspace, id) : undefined
    const contradicted = named && contradictionOf(named, row)
    if (contradicted !== undefined) {
      notes.push({
        field: 'id',
        message: `id was ignored, because the contact ${id} has another ${contradicted}`,
      })
    }
    const byId = contradicted === undefined ? named : undefined
    if (!byId && !name && !email && !phoneNumber && !identifier) {
      return refused(
        id === ''
          ? 'The row must have an id, name, email, phone_number or identifier.'
          : `There is no contact ${id}. A new contact needs a name, email, phone_number or identifier.`,
      )
    }
    const known =
      byId ??
      (identifier ? contactWithIdentifier(workspace, identifier) : undefined) ??
      (email ? contactWithEmail(workspace, email) : undefined) ??
      (phoneNumber ? contactWithPhone(workspace, phoneNumber) : undefined)
    const fields = {
      ...(name && { name: name.slice(0, 255) }),
      ...(email && { email }),
      ...(phoneNumber && { phoneNumber }),
      ...(identifier && { identifier: identifier.slice(0, 255) }),
      ...(Object.keys(customAttributes).length > 0 && { customAttributes }),
      ...(Object.keys(additionalAttributes).length > 0 && { additionalAttributes }),
    }
    if (known) updateContact(workspace, known, fields)
    else createContact(workspace, fields)
    return { result: known ? 'updated' : 'created', notes }
  } catch (error) {
    if (error instanceof Refusal) return refused(error.message)
    throw error
  }
}

/** Returns what shows that a row means another person than this contact; undefined without a contradiction. */
function contradictionOf(contact: Contact, row: Omit<ImportedContact, 'id' | 'notes'>): string | undefined {
  const differ = (one: string | null, other: string): boolean => Boolean(one && other && one !== other)
  if (differ(contact.email && emailKey(contact.email), emailKey(row.email))) return 'email'
  if (differ(contact.phoneNumber, row.phoneNumber)) return 'phone number'
  return differ(contact.identifier, row.identifier) ? 'identifier' : undefined
}

export const contactExport: Resource = async (app) => {
  const at = routesOf(app, { tag: 'Contacts', assumedStatus: NO_STATUS })

  at(`${ACCOUNT}/contacts/export`, { params: AccountParams }).post({
    id: 'exportContacts',
    summary: 'Export contacts',
    description:
      'Sends the file to the e-mail address of the user of the key. The file leaves out columns that no exported contact has. If no column remains or none is named, it has all columns.',
    fidelity: documentedBut(
      'Assumed: the file is a CSV. It has an apostrophe before texts that a spreadsheet program would run as a formula, which an import removes. The e-mail is sent before the response, which has no body.',
    ),
    body: Type.Optional(ExportBody),
    before: [inAccount(), allowMissingBody],
    answers: { 200: null },
    async run({ body, workspace, caller }) {
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
          subject: EMAIL_TEXTS.exported,
          text: say`${EMAIL_TEXTS.inFile(String(found.length))}\n`,
          attachments: [textAttachment('contacts.csv', 'text/csv', file)],
        })
      })
    },
  })
}

async function csvOf(found: readonly Contact[], requested?: readonly string[]): Promise<string> {
  const { stringify } = await import('csv-stringify/sync')
  const columns = new ExportColumns(found, requested)
  const slices = new Slices()
  const lines = [stringify([columns.heads])]
  for (const contact of found) {
    lines.push(stringify([columns.cellsOf(contact)]))
    if (slices.isOver) await slices.turn()
  }
  return lines.join('')
}
