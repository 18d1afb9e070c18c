/**
 * Clients: stored recipients for invoices. Specification part 2, "Tax invoicing": a client with invoices can't be deleted,
 * and a tax id that is flagged or not in the registry causes a warning.
 */
import { and, asc, eq, ne, sql } from 'drizzle-orm'
import { fold } from '@suite-sim/kit/text/collation'
import { numbered } from '../../storage/queries/listing.ts'
import { isOneOf } from '../../storage/columns.ts'
import { ofWorkspace, query } from '../../storage/queries/query.ts'
import { IN_FORCE } from '../machines.ts'
import { record } from '../../storage/records/record.ts'
import { refuse, refuseProperty } from '../../model/refusal.ts'
import { folded, searchedIn } from '../../storage/queries/searchColumns.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import type { Invoice } from '../invoices/invoices.ts'
import { isRfc, normalRfc, personKind } from '../taxpayers/rfc.ts'
import { CFDI_USES, TAX_REGIMES } from '../catalogs/satCatalogs.ts'
import { clients as table, invoices } from '../tables.ts'
import { isGeneric } from '../taxpayers/taxpayers.ts'
import { normalizeText } from '../xml/xml.ts'
import { isChange } from '../../storage/unchanged.ts'

export type Client = typeof table.$inferSelect

type NewClient = Pick<Client, 'rfc' | 'nombre'> &
  Partial<Pick<Client, 'regimenFiscal' | 'domicilioFiscal' | 'usoCfdiDefault' | 'email' | 'telefono'>>

/** The records of clients, with the sort orders and filters of GET /clients. */
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
  snapshot: { section: 'tax-invoicing', name: 'clients' },
})

// ---------------------------------------------------------------- invoices of a client

/** A generic tax id stands for many buyers, so the name identifies the buyer. */
const isInvoiceOfClient = sql`${invoices.receptorRfc} = ${sql.placeholder('rfc')} and (${sql.placeholder('isGeneric')} = 0 or ${invoices.receptorKey} = ${sql.placeholder('nameKey')})`

const INVOICED = sql<number>`coalesce(sum(case when not ${isOneOf(invoices.status, IN_FORCE)} then 0 when ${invoices.type} = 'I' then ${invoices.mxnCents} when ${invoices.type} = 'E' then -${invoices.mxnCents} else 0 end), 0)`

const invoiced = query((orm) =>
  orm
    .select({ count: sql<number>`count(*)`, cents: INVOICED })
    .from(invoices)
    .where(and(ofWorkspace(invoices), isInvoiceOfClient, ne(invoices.type, 'P'))),
)

type Identity = Pick<Client, 'rfc' | 'nombre'>

const identityOf = ({ rfc, nombre }: Identity) => ({
  rfc,
  isGeneric: isGeneric(rfc) ? 1 : 0,
  nameKey: fold(nombre),
})

/** Counts the invoices to this tax id, including those from before the client was created. */
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

/** Returns the client for this recipient. If several match, the oldest. */
export const clientOf = (workspace: Workspace, recipient: Identity): Client | undefined =>
  withIdentity.first(workspace, identityOf(recipient))

const centsOf = ({ type, mxnCents }: Invoice): number =>
  type === 'I' ? mxnCents : type === 'E' ? -mxnCents : 0

function updateCounts(
  workspace: Workspace,
  invoice: Invoice,
  invoiceDelta: number,
  centsDelta: number,
): void {
  if (invoice.type === 'P') return
  for (const client of withIdentity.all(workspace, identityOf(invoice.receptor))) {
    clients.update(workspace, client, {
      invoiceCount: client.invoiceCount + invoiceDelta,
      invoicedCents: client.invoicedCents + centsDelta,
    })
  }
}

/** Adds a new invoice to the counts of its client. Call it inside a `write`, after the insert. */
export function countInvoiceOfClient(workspace: Workspace, invoice: Invoice): void {
  updateCounts(workspace, invoice, 1, centsOf(invoice))
}

/** Subtracts a cancelled invoice from the total of its client. Call it inside a `write`, after the update. */
export function countCancellationOfClient(workspace: Workspace, invoice: Invoice): void {
  updateCounts(workspace, invoice, 0, -centsOf(invoice))
}

// ---------------------------------------------------------------- validation

const GENERIC_REGIME = '616'

type Validated = Pick<Client, 'rfc' | 'regimenFiscal' | 'usoCfdiDefault'>

function mustBeValid({ rfc, regimenFiscal, usoCfdiDefault }: Validated): void {
  if (!isRfc(rfc)) refuseProperty('rfc', 'invalid_format', '{rfc} must be a tax id such as URE180429TM6')
  mustFitRegime(rfc, regimenFiscal)
  const use = usoCfdiDefault === null ? undefined : CFDI_USES.get(usoCfdiDefault)
  if (usoCfdiDefault !== null && !use?.personas.includes(personKind(rfc))) {
    refuseProperty(
      'usoCfdiDefault',
      'CFDI40160',
      '{usoCfdiDefault} must be a key of c_UsoCFDI that is allowed for this kind of tax id',
    )
  }
  if (use && regimenFiscal !== null && !use.regimenes.includes(regimenFiscal)) {
    refuseProperty('usoCfdiDefault', 'CFDI40161', '{usoCfdiDefault} must be allowed for {regimenFiscal}')
  }
}

function mustFitRegime(rfc: string, regimenFiscal: string | null): void {
  if (regimenFiscal === null) return
  const regime = TAX_REGIMES.get(regimenFiscal)
  if (!regime) {
    refuseProperty(
      'regimenFiscal',
      'CFDI40157',
      '{regimenFiscal} must be a key of the catalog c_RegimenFiscal',
    )
  }
  const fits = isGeneric(rfc) ? regimenFiscal === GENERIC_REGIME : regime.personas.includes(personKind(rfc))
  if (!fits)
    refuseProperty('regimenFiscal', 'CFDI40158', '{regimenFiscal} must be allowed for this kind of tax id')
}

const byRfc = clients.by('rfc')

/** Refuses a second client with the same tax id, unless the tax id is generic. `ownId` is the client that changes. */
function mustBeUnique(workspace: Workspace, rfc: string, ownId?: string): void {
  if (isGeneric(rfc)) return
  const existing = byRfc.find(workspace, rfc)
  if (!existing || existing.id === ownId) return
  refuse('conflict', `There is a client with the tax id ${rfc}: ${existing.id}.`, {
    facts: { existing_id: existing.id },
  })
}

// ---------------------------------------------------------------- actions

/** Normalizes the name as invoices do, because the name identifies the buyers with a generic tax id. */
const normalIdentity = ({ rfc, nombre }: Identity): Identity => ({
  rfc: normalRfc(rfc),
  nombre: normalizeText(nombre),
})

export function createClient(workspace: Workspace, fields: NewClient): Client {
  const client = { regimenFiscal: null, usoCfdiDefault: null, ...fields, ...normalIdentity(fields) }
  mustBeValid(client)
  return workspace.write(() => {
    mustBeUnique(workspace, client.rfc)
    const now = workspace.now()
    return clients.insert(workspace, {
      ...client,
      ...countsOf(workspace, client),
      id: workspace.ids.prefixed('cli_'),
      createdAt: now,
      updatedAt: now,
    })
  })
}

/** Updates the given fields, and counts the invoices again because the tax id may have changed. */
export function updateClient(workspace: Workspace, client: Client, fields: Partial<NewClient>): Client {
  const identity = normalIdentity({ ...client, ...fields })
  const changed = { ...client, ...fields, ...identity }
  mustBeValid(changed)
  return workspace.write(() => {
    mustBeUnique(workspace, identity.rfc, client.id)
    if (!isChange(client, { ...fields, ...identity })) return client
    return clients.update(workspace, client, {
      ...fields,
      ...identity,
      ...countsOf(workspace, changed),
      updatedAt: workspace.now(),
    })
  })
}

/** Deletes a client. Refuses with conflict if it has invoices. */
export function deleteClient(workspace: Workspace, client: Client): void {
  workspace.write(() => {
    if (client.invoiceCount > 0) {
      refuse('conflict', `The client has ${String(client.invoiceCount)} invoices and can't be deleted.`)
    }
    clients.remove(workspace, client.id)
  })
}
