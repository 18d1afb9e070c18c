/** The relations of an invoice to others (cfdi_relacionados). */
import { RELATIONS } from '../catalogs/satCatalogs.ts'
import type { Relation } from '../jsonColumns.ts'
import type { Problems } from './problems.ts'

/** The code of c_TipoRelacion for a document that replaces others. A note with it credits nothing to them. */
export const SUBSTITUTION = '04'

/** Returns the UUIDs of the invoices that a credit note credits, in the order of its relations. */
export const creditedUuids = ({ relaciones }: { readonly relaciones: readonly Relation[] }): Set<string> =>
  new Set(relaciones.flatMap(({ tipoRelacion, uuids }) => (tipoRelacion === SUBSTITUTION ? [] : uuids)))

/** Returns the UUIDs of the documents that a document replaces. */
export const replacedUuids = ({ relaciones }: { readonly relaciones: readonly Relation[] }): string[] => [
  ...new Set(relaciones.flatMap(({ tipoRelacion, uuids }) => (tipoRelacion === SUBSTITUTION ? uuids : []))),
]

/**
 * Checks the keys of the relations. Refuses a credit note of an invoice that waits for its cancellation, because the
 * cancellation would leave the note without an invoice.
 */
export function checkRelations(
  { type, relaciones }: { readonly type: string; readonly relaciones: readonly Relation[] },
  isPending: (uuid: string) => boolean,
  problems: Problems,
): void {
  relaciones.forEach(({ tipoRelacion, uuids }, index) => {
    const path = `cfdi_relacionados.${String(index)}`
    if (!RELATIONS.has(tipoRelacion)) {
      problems.add(`${path}.tipo_relacion`, 'CFDI40137', 'must be in the catalog c_TipoRelacion')
    }
    if (type !== 'E' || tipoRelacion === SUBSTITUTION) return
    uuids.forEach((uuid, position) => {
      if (!isPending(uuid)) return
      problems.add(
        `${path}.uuids.${String(position)}`,
        'invalid_state',
        'must be the UUID of an active invoice; this invoice is cancellation_pending',
      )
    })
  })
}
