/**
 * The registry of the authority: the taxpayers that it publishes for tests, and those that the trigger
 * tax-invoicing.taxpayer.register has added.
 */
import { fold } from '@suite-sim/kit/text/collation'
import { record } from '../../storage/records/record.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { taxpayers as table } from '../tables.ts'

export type Taxpayer = typeof table.$inferSelect

export const taxpayers = record(table, {
  noun: 'taxpayer',
  snapshot: { section: 'tax-invoicing', name: 'taxpayers' },
})

const byRfc = taxpayers.by('rfc')

/** An entry of the registry. */
export interface RegistryEntry {
  readonly rfc: string
  readonly nombre: string
  /** null if any regime is accepted. */
  readonly regimenFiscal: string | null
  /** The postal code of the tax domicile; null if any is accepted. */
  readonly domicilioFiscal: string | null
  readonly flagged: boolean
}

/** The generic tax ids for domestic buyers without a tax id and for foreign buyers. */
export const NATIONAL_GENERIC = 'XAXX010101000'
export const FOREIGN_GENERIC = 'XEXX010101000'

export const isGeneric = (rfc: string): boolean => rfc === NATIONAL_GENERIC || rfc === FOREIGN_GENERIC

/** The name for buyers without a tax id. An invoice to it is global: it covers the sales of a period. */
export const PUBLIC_NAME = 'PUBLICO EN GENERAL'

/** True if the name of the public has another case or accents. Any other name is that of a buyer without a tax id. */
export const isMisspelledPublic = ({ rfc, nombre }: Pick<RegistryEntry, 'rfc' | 'nombre'>): boolean =>
  rfc === NATIONAL_GENERIC && nombre !== PUBLIC_NAME && fold(nombre) === fold(PUBLIC_NAME)

const testTaxpayer = (
  rfc: string,
  nombre: string,
  regimenFiscal: string | null = null,
  domicilioFiscal: string | null = null,
): RegistryEntry => ({ rfc, nombre, regimenFiscal, domicilioFiscal, flagged: false })

/** Taxpayers that the authority publishes for tests. */
const TEST_TAXPAYERS: ReadonlyMap<string, RegistryEntry> = new Map(
  [
    testTaxpayer('EKU9003173C9', 'ESCUELA KEMPER URGATE', '601', '42501'),
    testTaxpayer('URE180429TM6', 'UNIVERSIDAD ROBOTICA ESPAÑOLA', '601', '86991'),
    testTaxpayer('XIA190128J61', 'XENON INDUSTRIAL ARTICLES', '601', '76343'),
    testTaxpayer('IIA040805DZ4', 'INDISTRIA ILUMINADORA DE ALMACENES'),
    testTaxpayer('KIJ0906199R1', 'KERNEL INDUSTIA JUGUETERA'),
    testTaxpayer('ZUÑ920208KL4', 'ZAPATERIA URTADO ÑERI'),
    testTaxpayer('MISC491214B86', 'CECILIA MIRANDA SANCHEZ'),
    testTaxpayer('CACX7605101P8', 'XOCHILT CASAS CHAVEZ'),
    testTaxpayer('WATM640917J45', 'MARIA WATEMBER TORRES'),
    testTaxpayer('FUNK671228PH6', 'KARLA FUENTE NOLASCO'),
  ].map((taxpayer) => [taxpayer.rfc, taxpayer]),
)

/** Finds the registry entry of a tax id. Registered taxpayers override the test taxpayers. */
export function findRegistryEntry(workspace: Workspace, rfc: string): RegistryEntry | undefined {
  const own = byRfc.find(workspace, rfc)
  if (own) return { ...own, domicilioFiscal: null }
  return TEST_TAXPAYERS.get(rfc)
}

/** Returns true if the name equals the registered one. Compares case and accents, but ignores the Unicode composition. */
export const isRegisteredName = (taxpayer: RegistryEntry, nombre: string): boolean =>
  taxpayer.nombre.normalize() === nombre.normalize()

export interface NewTaxpayer {
  readonly rfc: string
  readonly nombre: string
  readonly regimenFiscal?: string | null
  readonly flagged?: boolean
}

/** Registers a taxpayer, or updates its registry entry. */
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
