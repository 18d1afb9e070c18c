/** The authority's validations of the recipient of an invoice. */
import { isCountry3 } from './countryCodes.ts'
import type { Workspace } from '../workspace.ts'
import { PLACE_OF_ISSUE } from './issuer.ts'
import { largeCatalogs } from './largeCatalogs.ts'
import type { Problems } from './problems.ts'
import { hasRightCheckDigit, isRfc, personKind } from './rfc.ts'
import { CFDI_USES, TAX_REGIMES } from './satCatalogs.ts'
import type { Recipient } from './tables.ts'
import { FOREIGN_GENERIC, isGeneric, isRegisteredName, registered } from './taxpayers.ts'

/** The regime and the use of those who have no tax id of their own. */
const GENERIC_REGIME = '616'
const GENERIC_USE = 'S01'

export function checkRecipient(workspace: Workspace, recipient: Recipient, problems: Problems): void {
  checkTaxId(workspace, recipient, problems)
  // Whether it is a person or a company is told by a tax id alone.
  if (!isRfc(recipient.rfc)) return
  checkRegime(workspace, recipient, problems)
  checkUse(recipient, problems)
  checkResidence(recipient, problems)
}

function checkTaxId(workspace: Workspace, recipient: Recipient, problems: Problems): void {
  const { rfc, nombre, domicilioFiscal } = recipient
  if (!isRfc(rfc)) {
    problems.add(
      'receptor.rfc',
      'CFDI40143',
      'is no tax id: it has not the form of one, or a date that there is not',
    )
    return
  }
  if (isGeneric(rfc)) {
    if (domicilioFiscal !== PLACE_OF_ISSUE) {
      problems.add(
        'receptor.domicilio_fiscal',
        'CFDI40149',
        `must be the postal code of the issuer, ${PLACE_OF_ISSUE}, for ${rfc}`,
      )
    }
    return
  }
  const taxpayer = registered(workspace, rfc)
  if (!taxpayer) {
    const why = hasRightCheckDigit(rfc)
      ? 'is not in the registry of the authority; the trigger tax-invoicing.taxpayer.register puts it there'
      : 'is no tax id: its check digit is wrong'
    problems.add('receptor.rfc', 'CFDI40143', why)
    return
  }
  if (!isRegisteredName(taxpayer, nombre)) {
    problems.add(
      'receptor.nombre',
      'CFDI40145',
      `must be the name that the registry has of ${rfc}, letter by letter: ${taxpayer.nombre}`,
    )
  }
  if (!largeCatalogs().isPostalCode(domicilioFiscal)) {
    problems.add('receptor.domicilio_fiscal', 'CFDI40148', 'is not in the catalog c_CodigoPostal')
  } else if (taxpayer.domicilioFiscal !== null && taxpayer.domicilioFiscal !== domicilioFiscal) {
    problems.add(
      'receptor.domicilio_fiscal',
      'CFDI40148',
      `is not the postal code that the registry has of ${rfc}: ${taxpayer.domicilioFiscal}`,
    )
  }
}

function checkRegime(workspace: Workspace, { rfc, regimenFiscal }: Recipient, problems: Problems): void {
  const refuse = (code: string, why: string): void => {
    problems.add('receptor.regimen_fiscal', code, why)
  }
  const regime = TAX_REGIMES.get(regimenFiscal)
  if (!regime) {
    refuse('CFDI40157', 'is not in the catalog c_RegimenFiscal')
    return
  }
  if (isGeneric(rfc)) {
    if (regimenFiscal !== GENERIC_REGIME) refuse('CFDI40158', `must be ${GENERIC_REGIME} for ${rfc}`)
    return
  }
  if (!regime.personas.includes(personKind(rfc))) {
    refuse('CFDI40158', `${regimenFiscal} is not for a ${PERSONS[personKind(rfc)]}`)
    return
  }
  const known = registered(workspace, rfc)?.regimenFiscal ?? regimenFiscal
  if (known !== regimenFiscal) {
    refuse('CFDI40158', `is not the one that the registry has of ${rfc}: ${known}`)
  }
}

const PERSONS = { fisica: 'person', moral: 'company' }

function checkUse({ rfc, regimenFiscal, usoCfdi }: Recipient, problems: Problems): void {
  const refuse = (code: string, why: string): void => {
    problems.add('receptor.uso_cfdi', code, why)
  }
  const use = CFDI_USES.get(usoCfdi)
  if (!use) {
    refuse('CFDI40160', 'is not in the catalog c_UsoCFDI')
  } else if (isGeneric(rfc)) {
    if (usoCfdi !== GENERIC_USE) refuse('CFDI40161', `must be ${GENERIC_USE} for ${rfc}`)
  } else if (!use.personas.includes(personKind(rfc))) {
    refuse('CFDI40161', `${usoCfdi} is not for a ${PERSONS[personKind(rfc)]}`)
  } else if (TAX_REGIMES.has(regimenFiscal) && !use.regimenes.includes(regimenFiscal)) {
    refuse('CFDI40161', `${usoCfdi} is not for the regime ${regimenFiscal}`)
  }
}

function checkResidence({ rfc, residenciaFiscal, numRegIdTrib }: Recipient, problems: Problems): void {
  if (rfc !== FOREIGN_GENERIC) {
    if (residenciaFiscal !== null) {
      problems.add('receptor.residencia_fiscal', 'CFDI40999', `is for ${FOREIGN_GENERIC} alone`)
    }
    if (numRegIdTrib !== null) {
      problems.add('receptor.num_reg_id_trib', 'CFDI40999', `is for ${FOREIGN_GENERIC} alone`)
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
