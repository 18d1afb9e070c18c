/** What the authority says of a client that is no reason to refuse it, though an invoice to it may be. */
import type { Workspace } from '../workspace.ts'
import type { Client } from './clients.ts'
import { PLACE_OF_ISSUE } from './issuer.ts'
import { isGeneric, isRegisteredName, registered, type Registered } from './taxpayers.ts'
import { inOrder } from './xml.ts'

export const WARNINGS = [
  'RFC_NOT_FOUND',
  'RFC_69B_DEFINITIVO',
  'NOMBRE_MISMATCH',
  'REGIMEN_FISCAL_MISMATCH',
  'DOMICILIO_FISCAL_MISMATCH',
] as const

export interface ClientWarning {
  readonly code: (typeof WARNINGS)[number]
  readonly message: string
}

type Checked = Pick<Client, 'rfc' | 'nombre' | 'regimenFiscal' | 'domicilioFiscal'>

export function warningsOf(workspace: Workspace, client: Checked): ClientWarning[] {
  const { rfc, domicilioFiscal } = client
  if (isGeneric(rfc)) {
    return isOther(PLACE_OF_ISSUE, domicilioFiscal)
      ? [
          mismatch(
            'DOMICILIO_FISCAL',
            `An invoice to ${rfc} has the postal code of the issuer`,
            PLACE_OF_ISSUE,
          ),
        ]
      : []
  }
  const known = registered(workspace, rfc)
  if (!known) return [{ code: 'RFC_NOT_FOUND', message: `The registry does not know ${rfc}.` }]
  return [...flagOf(known), ...contradictions(known, client)]
}

function flagOf({ rfc, flagged }: Registered): ClientWarning[] {
  if (!flagged) return []
  const message = `${rfc} is on the list of taxpayers whose operations are presumed not to exist (69-B).`
  return [{ code: 'RFC_69B_DEFINITIVO', message }]
}

/** What the client does not say, or the registry does not, contradicts nothing. */
function contradictions(
  known: Registered,
  { nombre, regimenFiscal, domicilioFiscal }: Checked,
): ClientWarning[] {
  const { rfc } = known
  return [
    ...(isRegisteredName(known, inOrder(nombre))
      ? []
      : [mismatch('NOMBRE', `The registry has another name of ${rfc}`, known.nombre)]),
    ...(isOther(known.regimenFiscal, regimenFiscal)
      ? [mismatch('REGIMEN_FISCAL', `The registry has another regime of ${rfc}`, known.regimenFiscal)]
      : []),
    ...(isOther(known.domicilioFiscal, domicilioFiscal)
      ? [
          mismatch(
            'DOMICILIO_FISCAL',
            `The registry has another postal code of ${rfc}`,
            known.domicilioFiscal,
          ),
        ]
      : []),
  ]
}

const isOther = (known: string | null, own: string | null): known is string =>
  known !== null && own !== null && known !== own

const mismatch = (
  field: 'NOMBRE' | 'REGIMEN_FISCAL' | 'DOMICILIO_FISCAL',
  what: string,
  right: string,
): ClientWarning => ({
  code: `${field}_MISMATCH`,
  message: `${what}: ${right}; an invoice with the data of the client is refused.`,
})
