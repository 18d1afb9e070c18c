/**
 * The registry of the authority: the taxpayers that it gives out for tests, and whoever was registered by the trigger
 * tax-invoicing.taxpayer.register.
 */
import { Type } from '@sinclair/typebox'
import { record } from '../record.ts'
import { filled } from '../shapes.ts'
import type { Workspace } from '../workspace.ts'
import { rfc as rfcShape } from './shapes.ts'
import { taxpayers as table } from './tables.ts'

export type Taxpayer = typeof table.$inferSelect

export const taxpayers = record(table, {
  noun: 'taxpayer',
  snapshot: {
    section: 'tax-invoicing',
    name: 'taxpayers',
    instants: ['createdAt'],
    shapes: () => ({
      rfc: rfcShape(),
      nombre: filled(),
      regimenFiscal: Type.Union([Type.String({ pattern: '^\\d{3}$' }), Type.Null()]),
    }),
  },
})

const byRfc = taxpayers.by('rfc')

/** A taxpayer as the registry has it. */
export interface Registered {
  readonly rfc: string
  readonly nombre: string
  /** null where any is taken, as of the three below. */
  readonly regimenFiscal: string | null
  /** The postal code of the tax domicile. */
  readonly domicilioFiscal: string | null
  readonly flagged: boolean
}

/** A buyer without a tax id, and one from abroad: they stand for many and have no name of their own. */
export const NATIONAL_GENERIC = 'XAXX010101000'
export const FOREIGN_GENERIC = 'XEXX010101000'

export const isGeneric = (rfc: string): boolean => rfc === NATIONAL_GENERIC || rfc === FOREIGN_GENERIC

const known = (
  rfc: string,
  nombre: string,
  regimenFiscal: string | null = null,
  domicilioFiscal: string | null = null,
): Registered => ({ rfc, nombre, regimenFiscal, domicilioFiscal, flagged: false })

/** Taxpayers that the authority publishes for tests. */
const TEST_TAXPAYERS: ReadonlyMap<string, Registered> = new Map(
  [
    known('EKU9003173C9', 'ESCUELA KEMPER URGATE', '601', '42501'),
    known('URE180429TM6', 'UNIVERSIDAD ROBOTICA ESPAÑOLA', '601', '86991'),
    known('XIA190128J61', 'XENON INDUSTRIAL ARTICLES', '601', '76343'),
    known('IIA040805DZ4', 'INDISTRIA ILUMINADORA DE ALMACENES'),
    known('KIJ0906199R1', 'KERNEL INDUSTIA JUGUETERA'),
    known('ZUÑ920208KL4', 'ZAPATERIA URTADO ÑERI'),
    known('MISC491214B86', 'CECILIA MIRANDA SANCHEZ'),
    known('CACX7605101P8', 'XOCHILT CASAS CHAVEZ'),
    known('WATM640917J45', 'MARIA WATEMBER TORRES'),
    known('FUNK671228PH6', 'KARLA FUENTE NOLASCO'),
  ].map((taxpayer) => [taxpayer.rfc, taxpayer]),
)

/** What the registry says of a tax id; undefined for one that it does not know. */
export function registered(workspace: Workspace, rfc: string): Registered | undefined {
  const own = byRfc.find(workspace, rfc)
  if (own) return { ...own, domicilioFiscal: null }
  return TEST_TAXPAYERS.get(rfc)
}

/** True if the name is the registered one, case and accents included, however its letters are composed. */
export const isRegisteredName = (taxpayer: Registered, nombre: string): boolean =>
  taxpayer.nombre.normalize() === nombre.normalize()

export interface NewTaxpayer {
  readonly rfc: string
  readonly nombre: string
  readonly regimenFiscal?: string | null
  readonly flagged?: boolean
}

/** Registers a taxpayer, or changes what the registry says of it. */
export const registerTaxpayer = (
  workspace: Workspace,
  { rfc, nombre, regimenFiscal = null, flagged = false }: NewTaxpayer,
): Taxpayer =>
  workspace.write(() => {
    const before = byRfc.find(workspace, rfc)
    if (before) return taxpayers.update(workspace, before, { nombre, regimenFiscal, flagged })
    return taxpayers.insert(workspace, {
      id: workspace.ids.prefixed('tp_'),
      rfc,
      nombre,
      regimenFiscal,
      flagged,
      createdAt: workspace.now(),
    })
  })
