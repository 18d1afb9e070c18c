/** Declarations of tables set everything that a write must not forget. */
import { eq, getTableColumns, getTableName, sql } from 'drizzle-orm'
import { describe, expect, test, vi } from 'vitest'
import { createActivity, activities } from '../../../../src/state/catalog/activities.ts'
import { createProduct, products } from '../../../../src/state/catalog/products.ts'
import {
  activities as activityTable,
  products as productTable,
} from '../../../../src/state/catalog/tables.ts'
import { createContact } from '../../../../src/state/conversations/contacts.ts'
import { conversations, createConversation } from '../../../../src/state/conversations/conversations.ts'
import { createInbox } from '../../../../src/state/conversations/inboxes.ts'
import { unfinishedChanges, waitingSteps } from '../../../../src/state/crm/automations/runs.ts'
import { createAutomation } from '../../../../src/state/crm/automations/automations.ts'
import {
  createCollectionLink,
  links as hostedLinks,
} from '../../../../src/state/integration-payments/links.ts'
import { createMeeting } from '../../../../src/state/meetings/meetings.ts'
import { endSession } from '../../../../src/state/meetings/sessions.ts'
import {
  completeTranscript,
  sessions as meetingSessions,
} from '../../../../src/state/meetings/transcripts.ts'
import { createLink, links as paymentLinks } from '../../../../src/state/payments/links.ts'
import { imports, startImport } from '../../../../src/state/recruiting/imports.ts'
import { createVacancy, vacancies } from '../../../../src/state/recruiting/vacancies.ts'
import type { Recorded } from '../../../../src/state/storage/records/record.ts'
import type { RecordSet } from '../../../../src/state/storage/records/records.ts'
import { Refusal } from '../../../../src/state/model/refusal.ts'
import { issuePairingCode, pairingCodes } from '../../../../src/state/signage/pairing.ts'
import { screens } from '../../../../src/state/signage/screenRecords.ts'
import { pairScreen } from '../../../../src/state/signage/screens.ts'
import {
  cancellations,
  lastCancellation,
} from '../../../../src/state/tax-invoicing/invoices/cancellations.ts'
import { requestCancellation } from '../../../../src/state/tax-invoicing/invoices/requestCancellation.ts'
import { certificates, currentCertificate } from '../../../../src/state/tax-invoicing/xml/certificates.ts'
import { issueInvoice } from '../../../../src/state/tax-invoicing/invoices/issueInvoice.ts'
import type { User } from '../../../../src/state/workspace/users.ts'
import type { Workspace } from '../../../../src/state/workspace/workspace.ts'
import { freshApp } from '../../../support/app.ts'
import { freshState, NOON } from '../../../support/state.ts'
import { ROBOTICA } from '../../../support/taxRecords.ts'
import { dumpOf, loadRecords } from '../../../support/records.ts'

const HOUR = 3_600_000

/** The ways to write a row of a table with jobs. */
interface Written {
  readonly set: RecordSet
  /** Adds a row that becomes due and returns its id. */
  readonly make: (workspace: Workspace, user: User) => string
  readonly dueOf: (workspace: Workspace, id: string) => number
  /** Removes the row and inserts it again. */
  readonly insert: (workspace: Workspace, id: string) => void
  readonly update: (workspace: Workspace, id: string, due: number) => void
  /** Changes all rows in one statement. */
  readonly updateAll: (workspace: Workspace, due: number) => void
}

function written<Row extends object, Derived, List, Indexed extends string, Input>(
  table: Recorded<Row, Derived, List, Indexed, Input>,
  at: keyof Row & string,
  make: Written['make'],
  /** The column that callers set, from which `at` is computed. */
  input: keyof Row & string = at,
): Written {
  const moveAll = table.updateAll({ [at]: sql`${sql.placeholder('due')}` } as never, sql`true`)
  return {
    set: table,
    make,
    dueOf: (workspace, id) => table.get(workspace, id)[at] as number,
    insert(workspace, id) {
      const row: object = { ...table.get(workspace, id) }
      table.remove(workspace, id)
      workspace.forget()
      expect(workspace.nextJobAt).toBe(Infinity)
      table.insert(workspace, row as never)
    },
    update: (workspace, id, due) =>
      table.update(workspace, table.get(workspace, id), { [input]: due } as never),
    updateAll: (workspace, due) => moveAll(workspace, { due }),
  }
}

const WRITTEN: readonly Written[] = [
  written(activities, 'dueDate', (workspace, user) => {
    const fields = { title: 'Call', type: 'call', dueDate: workspace.now() + HOUR } as const
    return createActivity(workspace, user, fields, []).id
  }),
  written(waitingSteps, 'dueAt', (workspace) => {
    const automation = createAutomation(workspace, {
      name: 'Follow up',
      trigger: { event: 'contact.created', conditions: [] },
      actions: [],
    })
    const step = {
      id: 'step',
      automationId: automation.id,
      actions: [],
      triggerEvent: 'contact.created' as const,
      triggerData: {},
      chain: [],
      dueAt: workspace.now() + HOUR,
    }
    return workspace.write(() => waitingSteps.insert(workspace, step)).id
  }),
  written(unfinishedChanges, 'dueAt', (workspace) => {
    const change = { id: 'change', executions: 0, cutOff: [], dueAt: workspace.now() + HOUR }
    return unfinishedChanges.insert(workspace, change).id
  }),
  written(
    paymentLinks,
    'expiresAt',
    (workspace) => createLink(workspace, { amount: 100, expiresAt: workspace.now() + HOUR }).id,
  ),
  written(
    hostedLinks,
    'expiresAt',
    (workspace) => createCollectionLink(workspace, { customerName: 'Ana' }).id,
  ),
  written(screens, 'silentAt', (workspace) => {
    const { code } = issuePairingCode(workspace)
    return pairScreen(workspace, { name: 'Door', pairingCode: code }).id
  }),
  written(pairingCodes, 'expiresAt', (workspace) => issuePairingCode(workspace).id),
  written(
    vacancies,
    'closingAt',
    (workspace) => {
      const closesAt = workspace.now() + HOUR
      return createVacancy(workspace, { title: 'Tailor', status: 'published', closesAt }).id
    },
    'closesAt',
  ),
  written(meetingSessions, 'nextAt', (workspace, user) => {
    const meeting = createMeeting(workspace, user, { title: 'Fitting', startsAt: null, language: 'en' })
    // The summary is the last job.
    return completeTranscript(workspace, endSession(workspace, meeting), null).id
  }),
  written(imports, 'nextAt', (workspace, user) => {
    const row = { row: 2, problems: [{ row: 2, field: 'name', message: 'name is required' }] }
    return startImport(workspace, user, [row], { source: null, tags: [], columns: [] }).id
  }),
  written(certificates, 'nextAt', (workspace) => workspace.write(() => currentCertificate(workspace)).id),
  written(
    conversations,
    'wakesAt',
    (workspace) => {
      const snoozedUntil = workspace.now() + HOUR
      const contact = createContact(workspace, { name: 'Ana' })
      const inbox = createInbox(workspace, { name: 'App', channelType: 'Channel::Api' })
      return createConversation(workspace, { inboxId: inbox.id, contact, status: 'snoozed', snoozedUntil }).id
    },
    'snoozedUntil',
  ),
  written(cancellations, 'dueAt', (workspace) => {
    const invoice = issuedInvoice(workspace)
    requestCancellation(workspace, invoice, { motivo: '02', uuidSustitucion: null })
    // Its seal expires as well.
    workspace.write(() => {
      certificates.remove(workspace, currentCertificate(workspace).id)
    })
    return lastCancellation(workspace, invoice.id)?.id ?? ''
  }),
]

/** Expensive enough that its recipient must accept the cancellation. */
const issuedInvoice = (workspace: Workspace) =>
  issueInvoice(workspace, {
    type: 'I',
    serie: 'A',
    receptor: ROBOTICA,
    conceptos: [
      {
        claveProdServ: '56101500',
        noIdentificacion: null,
        descripcion: 'Silla de oficina',
        cantidad: '1',
        claveUnidad: 'H87',
        unidad: null,
        valorUnitario: '1000',
        importe: null,
        descuento: null,
        objetoImp: '01',
        impuestos: { traslados: [], retenciones: [] },
      },
    ],
    relaciones: [],
    moneda: 'MXN',
    tipoCambio: null,
    metodoPago: 'PUE',
    formaPago: '03',
    exportacion: '01',
  })

/** A workspace with a frozen clock and one row that becomes due. */
async function withDueRow({ make, dueOf }: Written) {
  const { app, tenant } = await freshApp()
  const { workspace, user } = tenant()
  workspace.clock.set(NOON, true)
  await workspace.runDueJobs()
  expect(workspace.nextJobAt).toBe(Infinity)
  const id = workspace.write(() => make(workspace, user))
  return { app, workspace, id, due: dueOf(workspace, id) }
}

describe.each(WRITTEN)('a due time in the table $set.section $set.name', (way) => {
  test('is scheduled when its row is added, and runs when the clock gets there', async () => {
    const { workspace, due } = await withDueRow(way)

    expect(workspace.nextJobAt).toBe(due)
    workspace.clock.set(due, true)
    await workspace.runDueJobs()
    // Some become due again later.
    expect(way.set.job?.due(workspace) ?? Infinity).toBeGreaterThan(due)
  })

  test('is scheduled when a row is inserted again', async () => {
    const { workspace, id, due } = await withDueRow(way)

    workspace.write(() => {
      way.insert(workspace, id)
    })
    expect(workspace.nextJobAt).toBe(due)
  })

  test('is rescheduled when a row gets an earlier due time', async () => {
    const { workspace, id, due } = await withDueRow(way)

    workspace.write(() => {
      way.update(workspace, id, due - 1)
    })
    expect(workspace.nextJobAt).toBe(due - 1)
  })

  test('is rescheduled when many rows get an earlier due time at once', async () => {
    const { workspace, due } = await withDueRow(way)

    workspace.write(() => {
      way.updateAll(workspace, due - 1)
    })
    expect(workspace.nextJobAt).toBe(due - 1)
  })

  test('is scheduled with a snapshot, and removed by a reset to an empty workspace', async () => {
    const { app, workspace, due } = await withDueRow(way)
    const snapshot = dumpOf(app.records, workspace)
    await loadRecords(app, workspace, {})
    expect(workspace.nextJobAt).toBe(Infinity)

    await loadRecords(app, workspace, snapshot)
    expect(workspace.nextJobAt).toBe(due)
    app.records.reset(workspace)
    expect(workspace.nextJobAt).toBe(Infinity)
  })

  test('is found through an index of the rows that can be due', () => {
    const { database, workspace } = freshState()
    const prepare = vi.spyOn(database.sqlite, 'prepare')
    way.set.job?.due(workspace)
    way.set.job?.run(workspace, NOON)
    const texts = prepare.mock.calls.map(([text]) => text).filter((text) => text.startsWith('select'))
    prepare.mockRestore()

    expect(texts).toHaveLength(2)
    for (const text of texts) {
      const values = Array.from(text.matchAll(/\?/g), () => 1)
      const plan = database.sqlite.prepare(`EXPLAIN QUERY PLAN ${text}`).all(...values) as {
        detail: string
      }[]
      const table = getTableName(way.set.table)
      expect(plan.map(({ detail }) => detail)).toEqual([
        expect.stringMatching(
          new RegExp(
            `^SEARCH ${table} USING (COVERING )?INDEX ${table}_\\w*(due|expiring|silent|closing|next)`,
          ),
        ),
      ])
    }
  })
})

test('covers every table with jobs', async () => {
  const { app } = await freshApp()

  const jobsOf = (sets: readonly RecordSet[]): string[] => sets.flatMap(({ job }) => job?.name ?? []).sort()
  expect(jobsOf(app.records.sets)).toEqual(jobsOf(WRITTEN.map(({ set }) => set)))
})

test('schedules no job for a row that cannot be due', () => {
  const { workspace, user } = freshState()
  workspace.forget()
  const activity = createActivity(workspace, user, { title: 'Call', type: 'call' }, [])
  workspace.write(() => activities.update(workspace, activity, { status: 'completed', dueDate: NOON + HOUR }))

  expect(workspace.nextJobAt).toBe(Infinity)
})

describe('each way to write a row', () => {
  test('sets a later revision and the computed columns', () => {
    const { workspace, user } = freshState()
    const revisionOf = (id: string) => products.get(workspace, id).revision
    const made = createProduct(workspace, user, { name: 'Desk', type: 'physical' })
    const other = createProduct(workspace, user, { name: 'Chair', type: 'physical' })
    expect(products.get(workspace, made.id)).toEqual(made)
    expect(made.nameKey).toBe('desk')

    const updated = workspace.write(() => products.update(workspace, made, { name: 'TABLE', sku: 'T-1' }))
    expect(products.get(workspace, made.id)).toEqual(updated)
    expect(updated).toMatchObject({ nameKey: 'table', searchKey: 'table\nt-1' })
    expect(updated.revision).toBeGreaterThan(other.revision)
    expect(made.nameKey).toBe('desk')

    const price = products.updateAll({ priceKey: sql`'9'` }, eq(productTable.type, 'physical'))
    expect(workspace.write(() => price(workspace, {}))).toBe(2)
    expect(products.get(workspace, made.id).priceKey).toBe('9')
    const revisions = [made.id, other.id].map(revisionOf)
    expect(Math.min(...revisions)).toBeGreaterThan(updated.revision)
    expect(new Set(revisions).size).toBe(2)
  })

  test('does not change other workspaces', () => {
    const { workspace, user, tenancy } = freshState()
    const other = tenancy()
    const theirs = createProduct(other.workspace, other.user, { name: 'Desk', type: 'physical' })
    createProduct(workspace, user, { name: 'Desk', type: 'physical' })

    const price = products.updateAll({ priceKey: sql`'9'` }, undefined)
    expect(workspace.write(() => price(workspace, {}))).toBe(1)
    expect(products.get(other.workspace, theirs.id)).toEqual(theirs)
    expect(products.find(workspace, theirs.id)).toBeUndefined()
  })

  test('refuses columns that are filled in automatically', () => {
    const { workspace, user } = freshState()
    const product = createProduct(workspace, user, { name: 'Desk', type: 'physical' })
    const { nameKey, searchKey, priceKey, revision, workspace: number, ...rest } = product
    const compiled = () => {
      products.insert(workspace, rest)
      // @ts-expect-error the revision is given by the declaration
      products.insert(workspace, { ...rest, revision })
      // @ts-expect-error so is the workspace
      products.insert(workspace, { ...rest, workspace: number })
      // @ts-expect-error and what follows from the name
      products.update(workspace, product, { nameKey, searchKey, priceKey })
      // @ts-expect-error whatever it is spread from
      products.update(workspace, product, { ...product, unit: null })
      // @ts-expect-error an id stays what it is
      products.update(workspace, product, { id: 'other' })
      // @ts-expect-error the key of the name would not follow
      products.updateAll({ name: sql`'Desk'` }, undefined)
    }
    expect(compiled).toBeTypeOf('function')
  })
})

describe('an unknown record', () => {
  test('is refused with its noun, by id and by another column', () => {
    const { workspace } = freshState()
    const byStatus = products.by('status')
    for (const find of [products.get, products.getHead, byStatus.get]) {
      expect(() => find(workspace, 'gone')).toThrow(new Refusal('not_found', 'There is no product gone.'))
    }
    expect(byStatus.find(workspace, 'gone')).toBeUndefined()
  })

  test('includes a record that no longer meets the condition of its table', () => {
    const { workspace, user } = freshState()
    const product = createProduct(workspace, user, { name: 'Desk', type: 'physical' })
    workspace.write(() => products.update(workspace, product, { deletedAt: NOON }))

    expect(products.find(workspace, product.id)).toBeUndefined()
    expect(products.head(workspace, product.id)).toBeUndefined()
    expect(products.by('nameKey').find(workspace, 'desk')).toBeUndefined()
  })
})

test('declares only columns of its table', () => {
  expect(Object.keys(getTableColumns(activityTable))).toEqual(
    expect.arrayContaining([...activities.instants]),
  )
  expect(products.derived).toEqual(['nameKey', 'searchKey', 'priceKey', 'revision'])
})
