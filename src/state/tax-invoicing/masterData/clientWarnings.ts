/** Warnings about a client. The server stores the client, but may refuse an invoice to it. */
import type { Workspace } from '../../workspace/workspace.ts'
import type { Client } from './clients.ts'
import { PLACE_OF_ISSUE } from '../taxpayers/issuer.ts'
import {
  isGeneric,
  isMisspelledPublic,
  isRegisteredName,
  PUBLIC_NAME,
  findRegistryEntry,
  type RegistryEntry,
} from '../taxpayers/taxpayers.ts'
import { normalizeText } from '../xml/xml.ts'

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

type CheckedFields = Pick<Client, 'rfc' | 'nombre' | 'regimenFiscal' | 'domicilioFiscal'>

export function warningsOf(workspace: Workspace, client: CheckedFields): ClientWarning[] {
  const { rfc, nombre, domicilioFiscal } = client
  if (isGeneric(rfc)) {
    return [
      ...(isMisspelledPublic({ rfc, nombre: normalizeText(nombre) })
        ? [mismatch('NOMBRE', 'An invoice to the public must have the exact name', PUBLIC_NAME)]
        : []),
      ...(isOther(PLACE_OF_ISSUE, domicilioFiscal)
        ? [
            mismatch(
              'DOMICILIO_FISCAL',
              `An invoice to ${rfc} must have the postal code of the issuer`,
              PLACE_OF_ISSUE,
            ),
          ]
        : []),
    ]
  }
  const known = findRegistryEntry(workspace, rfc)
  if (!known) return [{ code: 'RFC_NOT_FOUND', message: `The registry does not have ${rfc}.` }]
  return [...flagOf(known), ...contradictions(known, client)]
}

function flagOf({ rfc, flagged }: RegistryEntry): ClientWarning[] {
  if (!flagged) return []
  const message = `${rfc} is on the list of taxpayers with presumably nonexistent operations (69-B).`
  return [{ code: 'RFC_69B_DEFINITIVO', message }]
}

/** Compares the client with the registry. Missing data on either side is not a contradiction. */
function contradictions(
  known: RegistryEntry,
  { nombre, regimenFiscal, domicilioFiscal }: CheckedFields,
): ClientWarning[] {
  const { rfc } = known
  return [
    ...(isRegisteredName(known, normalizeText(nombre))
      ? []
      : [mismatch('NOMBRE', `The registry has another name for ${rfc}`, known.nombre)]),
    ...(isOther(known.regimenFiscal, regimenFiscal)
      ? [mismatch('REGIMEN_FISCAL', `The registry has another regime for ${rfc}`, known.regimenFiscal)]
      : []),
    ...(isOther(known.domicilioFiscal, domicilioFiscal)
      ? [
          mismatch(
            'DOMICILIO_FISCAL',
            `The registry has another postal code for ${rfc}`,
            known.domicilioFiscal,
          ),
        ]
      : []),
  ]
}

const isOther = (expected: string | null, actual: string | null): expected is string =>
  expected !== null && actual !== null && expected !== actual

const mismatch = (
  field: 'NOMBRE' | 'REGIMEN_FISCAL' | 'DOMICILIO_FISCAL',
  problem: string,
  expected: string,
): ClientWarning => ({
  code: `${field}_MISMATCH`,
  message: `${problem}: ${expected}. An invoice with the data of this client is refused.`,
})
