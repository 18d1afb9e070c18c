/**
 * Clients: recipients that are kept for later invoices. Specification part 2, "Tax invoicing": a client with invoices
 * can't be deleted, and one whose tax id the registry does not know, or has flagged, is taken with a warning.
 */
import { Type } from '@sinclair/typebox'
import { and, asc, eq, ne, sql } from 'drizzle-orm'
import { fold } from '../collation.ts'
import { numbered } from '../listing.ts'
import { ofWorkspace, query } from '../query.ts'
import { record } from '../record.ts'
import { refuse, refuseProperty } from '../refusal.ts'
import { folded, searchedIn } from '../searching.ts'
import { email, text, whole } from '../shapes.ts'
import type { Workspace } from '../workspace.ts'
import type { Invoice } from './invoices.ts'
import { isRfc, normalRfc, personKind } from './rfc.ts'
import { CFDI_USES, TAX_REGIMES } from './satCatalogs.ts'
import { rfc as rfcShape } from './shapes.ts'
import { clients as table, invoices } from './tables.ts'
import { isGeneric } from './taxpayers.ts'

export type Client = typeof table.$inferSelect

type SentField =
  | 'rfc'
  | 'nombre'
  | 'regimenFiscal'
  | 'domicilioFiscal'
  | 'usoCfdiDefault'
  | 'email'
  | 'telefono'

export type ClientFields = { readonly [Field in SentField]?: Client[Field] }
export type NewClient = ClientFields & Pick<Client, 'rfc' | 'nombre'>

export const LONGEST_NAME = 254
export const LONGEST_PHONE = 40

/** Clients in the order and with the filters of GET /clients. */
export const clients = record(table, {
  noun: 'client',
  derived: {
    nameKey: folded(({ nombre }: Pick<Client, 'nombre'>) => [nombre]),
    searchKey: folded(({ rfc, nombre, email }: Pick<Client, 'rfc' | 'nombre' | 'email'>) => [
      rfc,
      nombre,
      email,
    ]),
  },
  list: numbered({
    sorts: {
      name: table.nameKey,
      rfc: table.rfc,
      created_at: table.createdAt,
      invoice_count: table.invoiceCount,
    },
    filters: {
      search: searchedIn(table.searchKey),
      regimen_fiscal: (value) => sql`${table.regimenFiscal} = ${value}`,
    },
    indexes: {
      name: [table.nameKey],
      invoice_count: [table.invoiceCount],
      regimen_fiscal: [table.regimenFiscal, table.createdAt],
    },
  }),
  snapshot: {
    section: 'tax-invoicing',
    name: 'clients',
    instants: ['createdAt', 'updatedAt'],
    shapes: () => ({
      rfc: rfcShape(),
      nombre: text(LONGEST_NAME),
      regimenFiscal: Type.String({ pattern: '^\\d{3}$' }),
      domicilioFiscal: Type.String({ pattern: '^\\d{5}$' }),
      usoCfdiDefault: Type.String({ pattern: '^[A-Z]{1,2}\\d{2}$' }),
      email: email(),
      telefono: text(LONGEST_PHONE),
      invoiceCount: whole(0),
      invoicedCents: Type.Integer({
        minimum: Number.MIN_SAFE_INTEGER,
        maximum: Number.MAX_SAFE_INTEGER,
      }),
    }),
  },
})

// ---------------------------------------------------------------- invoices of a client

/** A buyer without a tax id of its own is told from others by its name. */
const isOf = sql`${invoices.receptorRfc} = ${sql.placeholder('rfc')} and (${sql.placeholder('isGeneric')} = 0 or ${invoices.receptorKey} = ${sql.placeholder('nameKey')})`

const INVOICED = sql<number>`coalesce(sum(case when ${invoices.status} = 'cancelled' then 0 when ${invoices.type} = 'I' then ${invoices.mxnCents} when ${invoices.type} = 'E' then -${invoices.mxnCents} else 0 end), 0)`

const invoiced = query((orm) =>
  orm
    .select({ count: sql<number>`count(*)`, cents: INVOICED })
    .from(invoices)
    .where(and(ofWorkspace(invoices), isOf, ne(invoices.type, 'P'))),
)

type Identity = Pick<Client, 'rfc' | 'nombre'>

const identityOf = ({ rfc, nombre }: Identity) => ({
  rfc,
  isGeneric: isGeneric(rfc) ? 1 : 0,
  nameKey: fold(nombre),
})

/** What was invoiced to whoever has this tax id, before there was a client or since. */
function countsOf(workspace: Workspace, identity: Identity): Pick<Client, 'invoiceCount' | 'invoicedCents'> {
  const { count = 0, cents = 0 } = invoiced.first(workspace, identityOf(identity)) ?? {}
  return { invoiceCount: count, invoicedCents: cents }
}

const withIdentity = query((orm) =>
  orm
    .select()
    .from(table)
    .where(
      and(
        ofWorkspace(table),
        eq(table.rfc, sql.placeholder('rfc')),
        sql`(${sql.placeholder('isGeneric')} = 0 or ${table.nameKey} = ${sql.placeholder('nameKey')})`,
      ),
    )
    .orderBy(asc(sql`rowid`)),
)

/** The client that an invoice to this recipient is for; the oldest of several. */
export const clientOf = (workspace: Workspace, recipient: Identity): Client | undefined =>
  withIdentity.first(workspace, identityOf(recipient))

const centsOf = ({ type, mxnCents }: Invoice): number =>
  type === 'I' ? mxnCents : type === 'E' ? -mxnCents : 0

function count(workspace: Workspace, invoice: Invoice, more: number, cents: number): void {
  if (invoice.type === 'P') return
  for (const client of withIdentity.all(workspace, identityOf(invoice.receptor))) {
    clients.update(workspace, client, {
      invoiceCount: client.invoiceCount + more,
      invoicedCents: client.invoicedCents + cents,
    })
  }
}

/** Told of every invoice that was stamped, after that. Only inside a `write`. */
export function countInvoiceOfClient(workspace: Workspace, invoice: Invoice): void {
  count(workspace, invoice, 1, centsOf(invoice))
}

/** Told of every invoice that was cancelled, after that. Only inside a `write`. */
export function countCancellationOfClient(workspace: Workspace, invoice: Invoice): void {
  count(workspace, invoice, 0, -centsOf(invoice))
}

// ---------------------------------------------------------------- what may be kept

const GENERIC_REGIME = '616'

type Kept = Pick<Client, 'rfc' | 'regimenFiscal' | 'usoCfdiDefault'>

function mustBeValid({ rfc, regimenFiscal, usoCfdiDefault }: Kept): void {
  if (!isRfc(rfc)) refuseProperty('rfc', 'invalid_format', '{rfc} must be a tax id such as URE180429TM6')
  mustFitRegime(rfc, regimenFiscal)
  const use = usoCfdiDefault === null ? undefined : CFDI_USES.get(usoCfdiDefault)
  if (usoCfdiDefault !== null && !use?.personas.includes(personKind(rfc))) {
    refuseProperty(
      'usoCfdiDefault',
      'CFDI40160',
      '{usoCfdiDefault} must be a key of the catalog that is for such a tax id',
    )
  }
  if (use && regimenFiscal !== null && !use.regimenes.includes(regimenFiscal)) {
    refuseProperty('usoCfdiDefault', 'CFDI40161', '{usoCfdiDefault} must be for the {regimenFiscal}')
  }
}

function mustFitRegime(rfc: string, regimenFiscal: string | null): void {
  if (regimenFiscal === null) return
  const regime = TAX_REGIMES.get(regimenFiscal)
  if (!regime) {
    refuseProperty(
      'regimenFiscal',
      'CFDI40157',
      '{regimenFiscal} must be a key of the catalog of tax regimes',
    )
  }
  const fits = isGeneric(rfc) ? regimenFiscal === GENERIC_REGIME : regime.personas.includes(personKind(rfc))
  if (!fits) refuseProperty('regimenFiscal', 'CFDI40158', '{regimenFiscal} must be for such a tax id')
}

const byRfc = clients.by('rfc')

/** Two clients with one tax id are duplicates, but for those that have none of their own. */
function mustBeOnlyOne(workspace: Workspace, rfc: string, own?: string): void {
  if (isGeneric(rfc)) return
  const known = byRfc.find(workspace, rfc)
  if (!known || known.id === own) return
  refuse('conflict', `There is a client with the tax id ${rfc}: ${known.id}.`, {
    facts: { existing_id: known.id },
  })
}

// ---------------------------------------------------------------- actions

export function createClient(workspace: Workspace, { rfc: sent, ...fields }: NewClient): Client {
  const rfc = normalRfc(sent)
  const kept = {
    regimenFiscal: null,
    domicilioFiscal: null,
    usoCfdiDefault: null,
    email: null,
    telefono: null,
    ...fields,
    rfc,
  }
  mustBeValid(kept)
  return workspace.write(() => {
    mustBeOnlyOne(workspace, rfc)
    const now = workspace.now()
    return clients.insert(workspace, {
      ...kept,
      ...countsOf(workspace, kept),
      id: workspace.ids.prefixed('cli_'),
      createdAt: now,
      updatedAt: now,
    })
  })
}

/** Changes what was sent; what was invoiced is counted anew where it is another's. */
export function updateClient(workspace: Workspace, client: Client, fields: ClientFields): Client {
  const rfc = fields.rfc === undefined ? client.rfc : normalRfc(fields.rfc)
  const changed = { ...client, ...fields, rfc }
  mustBeValid(changed)
  return workspace.write(() => {
    mustBeOnlyOne(workspace, rfc, client.id)
    return clients.update(workspace, client, {
      ...fields,
      rfc,
      ...countsOf(workspace, changed),
      updatedAt: workspace.now(),
    })
  })
}

/** Removes a client that nothing was invoiced to. */
export function deleteClient(workspace: Workspace, client: Client): void {
  workspace.write(() => {
    if (client.invoiceCount > 0) {
      refuse('conflict', `The client has ${String(client.invoiceCount)} invoices and can't be deleted.`)
    }
    clients.remove(workspace, client.id)
  })
}
