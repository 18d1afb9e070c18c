/** The authority's validation rules for the recipient of an invoice. */
import { isCountry3 } from '../catalogs/countryCodes.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { PLACE_OF_ISSUE } from '../taxpayers/issuer.ts'
import { largeCatalogs } from '../catalogs/largeCatalogs.ts'
import type { Problems } from './problems.ts'
import { hasRightCheckDigit, isRfc, personKind } from '../taxpayers/rfc.ts'
import { CFDI_USES, TAX_REGIMES } from '../catalogs/satCatalogs.ts'
import type { Recipient } from '../jsonColumns.ts'
import {
  FOREIGN_GENERIC,
  PUBLIC_NAME,
  isMisspelledPublic,
  isGeneric,
  isRegisteredName,
  findRegistryEntry,
  type RegistryEntry,
} from '../taxpayers/taxpayers.ts'

/** The regime and the use of recipients with a generic tax id. */
const GENERIC_REGIME = '616'
const GENERIC_USE = 'S01'

export function checkRecipient(workspace: Workspace, recipient: Recipient, problems: Problems): void {
  const entry = isGeneric(recipient.rfc) ? undefined : findRegistryEntry(workspace, recipient.rfc)
  checkTaxId(recipient, entry, problems)
  // The other rules need to know whether it is a person or a company, which only a valid tax id tells.
  if (!isRfc(recipient.rfc)) return
  checkRegime(recipient, entry, problems)
  checkUse(recipient, problems)
  checkResidence(recipient, problems)
}

function checkTaxId(recipient: Recipient, taxpayer: RegistryEntry | undefined, problems: Problems): void {
  const { rfc, nombre, domicilioFiscal } = recipient
  if (!isRfc(rfc)) {
    problems.add('receptor.rfc', 'CFDI40143', 'must have the form of a tax id with a valid date')
    return
  }
  if (isGeneric(rfc)) {
    if (isMisspelledPublic(recipient)) {
      problems.add(
        'receptor.nombre',
        'CFDI40130',
        `must be ${PUBLIC_NAME} for the public, in capitals and without accents`,
      )
    }
    if (domicilioFiscal !== PLACE_OF_ISSUE) {
      problems.add(
        'receptor.domicilio_fiscal',
        'CFDI40149',
        `must be the postal code of the issuer, ${PLACE_OF_ISSUE}, for ${rfc}`,
      )
    }
    return
  }
  if (!taxpayer) {
    const rule = hasRightCheckDigit(rfc)
      ? 'must be in the registry of the authority; use the trigger tax-invoicing.taxpayer.register to register it'
      : 'must be a tax id with a valid check digit'
    problems.add('receptor.rfc', 'CFDI40143', rule)
    return
  }
  if (!isRegisteredName(taxpayer, nombre)) {
    problems.add(
      'receptor.nombre',
      'CFDI40145',
      `must be the exact name of ${rfc} in the registry: ${taxpayer.nombre}`,
    )
  }
  if (!largeCatalogs().isPostalCode(domicilioFiscal)) {
    problems.add('receptor.domicilio_fiscal', 'CFDI40148', 'must be in the catalog c_CodigoPostal')
  } else if (taxpayer.domicilioFiscal !== null && taxpayer.domicilioFiscal !== domicilioFiscal) {
    problems.add(
      'receptor.domicilio_fiscal',
      'CFDI40148',
      `must be the postal code of ${rfc} in the registry: ${taxpayer.domicilioFiscal}`,
    )
  }
}

function checkRegime(
  { rfc, regimenFiscal }: Recipient,
  taxpayer: RegistryEntry | undefined,
  problems: Problems,
): void {
  const addProblem = (code: string, rule: string): void => {
    problems.add('receptor.regimen_fiscal', code, rule)
  }
  const regime = TAX_REGIMES.get(regimenFiscal)
  if (!regime) {
    addProblem('CFDI40157', 'must be in the catalog c_RegimenFiscal')
    return
  }
  if (isGeneric(rfc)) {
    if (regimenFiscal !== GENERIC_REGIME) addProblem('CFDI40158', `must be ${GENERIC_REGIME} for ${rfc}`)
    return
  }
  if (!regime.personas.includes(personKind(rfc))) {
    addProblem('CFDI40158', `must be a regime for a ${PERSONS[personKind(rfc)]}; ${regimenFiscal} is not`)
    return
  }
  const expected = taxpayer?.regimenFiscal ?? regimenFiscal
  if (expected !== regimenFiscal) {
    addProblem('CFDI40158', `must be the regime of ${rfc} in the registry: ${expected}`)
  }
}

const PERSONS = { fisica: 'person', moral: 'company' }

function checkUse({ rfc, regimenFiscal, usoCfdi }: Recipient, problems: Problems): void {
  const addProblem = (code: string, rule: string): void => {
    problems.add('receptor.uso_cfdi', code, rule)
  }
  const use = CFDI_USES.get(usoCfdi)
  if (!use) {
    addProblem('CFDI40160', 'must be in the catalog c_UsoCFDI')
  } else if (isGeneric(rfc)) {
    if (usoCfdi !== GENERIC_USE) addProblem('CFDI40161', `must be ${GENERIC_USE} for ${rfc}`)
  } else if (!use.personas.includes(personKind(rfc))) {
    addProblem('CFDI40161', `must be a use for a ${PERSONS[personKind(rfc)]}; ${usoCfdi} is not`)
  } else if (TAX_REGIMES.has(regimenFiscal) && !use.regimenes.includes(regimenFiscal)) {
    addProblem('CFDI40161', `must be a use for the regime ${regimenFiscal}; ${usoCfdi} is not`)
  }
}

function checkResidence({ rfc, residenciaFiscal, numRegIdTrib }: Recipient, problems: Problems): void {
  if (rfc !== FOREIGN_GENERIC) {
    if (residenciaFiscal !== null) {
      problems.add(
        'receptor.residencia_fiscal',
        'CFDI40999',
        `must be left out unless rfc is ${FOREIGN_GENERIC}`,
      )
    }
    if (numRegIdTrib !== null) {
      problems.add(
        'receptor.num_reg_id_trib',
        'CFDI40999',
        `must be left out unless rfc is ${FOREIGN_GENERIC}`,
      )
    }
    return
  }
  if (residenciaFiscal !== null && (residenciaFiscal === 'MEX' || !isCountry3(residenciaFiscal))) {
    problems.add('receptor.residencia_fiscal', 'CFDI40999', 'must be another country of the catalog c_Pais')
  }
  if (numRegIdTrib !== null && residenciaFiscal === null) {
    problems.add('receptor.residencia_fiscal', 'CFDI40999', 'is required with num_reg_id_trib')
  }
}
