/**
 * The recipient of an invoice. Specification part 2, "Lite invoicing": four types of recipient. foreignTaxId or passport
 * identifies a foreigner, and only passport requires country. The required fields of the other three types are those of the
 * tax authority's form (assumed).
 */
import { refuseProperty } from '../model/refusal.ts'
import { normalRuc, readRuc, type Ruc, type TaxpayerType } from '../shared/ruc.ts'
import type { ReceiverType, Recipient } from './tables.ts'
import { RUC_RULE } from './taxpayers.ts'

/** A recipient in a request. Missing fields are undefined. */
export interface SentRecipient {
  readonly receiverType: ReceiverType
  readonly name?: string | undefined
  readonly taxId?: string | undefined
  readonly taxDv?: number | undefined
  readonly taxIdType?: TaxpayerType | undefined
  readonly foreignTaxId?: string | undefined
  readonly passport?: string | undefined
  readonly country?: string | undefined
  readonly email?: string | undefined
}

type Field = Exclude<keyof SentRecipient, 'receiverType'>

const at = (field: Field): string => `client.${field}`

interface Rules {
  readonly title: string
  readonly required: readonly Field[]
  readonly notAllowed: readonly Field[]
}

const FOREIGN: readonly Field[] = ['foreignTaxId', 'passport', 'country']
const TAXPAYER = { required: ['name', 'taxId', 'taxDv'], notAllowed: FOREIGN } as const

const RULES: Readonly<Record<ReceiverType, Rules>> = {
  '01': { title: 'a taxpayer', ...TAXPAYER },
  '02': { title: 'a final consumer', required: [], notAllowed: FOREIGN },
  '03': { title: 'a government entity', ...TAXPAYER },
  '04': { title: 'a foreigner', required: ['name'], notAllowed: ['taxId', 'taxDv', 'taxIdType'] },
}

const FINAL_CONSUMER_NAME = 'Consumidor final'

/** The placeholder that the tax authority uses for a final consumer. It is not a RUC and has no check digit. */
const FINAL_CONSUMER_RUC = 'CIP-000-000-0000'

/** Validates a recipient by the rules of its type. */
export function recipientOf(sent: SentRecipient): Recipient {
  const { title, required, notAllowed } = RULES[sent.receiverType]
  for (const field of required) {
    if (sent[field] === undefined)
      refuseProperty(at(field), 'required', `{${at(field)}} is required for ${title}`)
  }
  for (const field of notAllowed) {
    if (sent[field] !== undefined) {
      refuseProperty(at(field), 'not_allowed', `{${at(field)}} must be left out for ${title}`)
    }
  }
  if (sent.receiverType === '04') mustBeForeigner(sent)
  return {
    receiverType: sent.receiverType,
    name: sent.name ?? FINAL_CONSUMER_NAME,
    ...taxpayerFieldsOf(sent),
    foreignTaxId: sent.foreignTaxId ?? null,
    passport: sent.passport ?? null,
    country: sent.country ?? null,
    email: sent.email ?? null,
  }
}

function mustBeForeigner({ foreignTaxId, passport, country }: SentRecipient): void {
  if (foreignTaxId === undefined && passport === undefined) {
    refuseProperty(
      at('foreignTaxId'),
      'required',
      `{${at('foreignTaxId')}} or {${at('passport')}} is required for a foreigner`,
    )
  }
  if (passport !== undefined && country === undefined) {
    refuseProperty(at('country'), 'required', `{${at('country')}} is required with {${at('passport')}}`)
  }
}

/** Returns the RUC in its canonical form, with its check digit and type. Refuses fields that do not match it. */
function taxpayerFieldsOf({
  taxId,
  taxDv,
  taxIdType,
  receiverType,
}: SentRecipient): Pick<Recipient, 'taxId' | 'taxDv' | 'taxIdType'> {
  if (taxId === undefined) {
    if (taxDv !== undefined) {
      refuseProperty(at('taxDv'), 'not_allowed', `{${at('taxDv')}} must be left out without {${at('taxId')}}`)
    }
    return { taxId: null, taxDv: null, taxIdType: null }
  }
  if (receiverType === '02' && normalRuc(taxId) === FINAL_CONSUMER_RUC) {
    mustBeMissing('taxDv', taxDv)
    mustBeMissing('taxIdType', taxIdType)
    return { taxId: FINAL_CONSUMER_RUC, taxDv: null, taxIdType: null }
  }
  const found = readingOf(taxId, taxDv, taxIdType, receiverType === '03' ? 2 : 1)
  return { taxId: found.ruc, taxDv: found.dv, taxIdType: found.type }
}

/**
 * Returns the taxpayer that the fields describe. A RUC that can be of a natural person and of a legal entity is of the
 * given type; without a type, of the one with this check digit; if that is missing too, of the likely type.
 */
function readingOf(
  taxId: string,
  taxDv: number | undefined,
  taxIdType: TaxpayerType | undefined,
  likely: TaxpayerType,
): Ruc {
  const readings = readRuc(taxId)
  const [first] = readings
  if (!first) refuseProperty(at('taxId'), 'invalid_format', `{${at('taxId')}} ${RUC_RULE}`)
  const ofType = readings.filter(({ type }) => taxIdType === undefined || type === taxIdType)
  if (ofType.length === 0) {
    refuseProperty(
      at('taxIdType'),
      'mismatch',
      `{${at('taxIdType')}} must be ${String(first.type)}, the type of {${at('taxId')}}`,
    )
  }
  const matching = ofType.filter(({ dv }) => taxDv === undefined || dv === taxDv)
  const found = matching.find(({ type }) => type === likely) ?? matching[0]
  if (found) return found
  const asType = taxIdType === undefined ? '' : ` for {${at('taxIdType')}} ${String(taxIdType)}`
  return refuseProperty(
    at('taxDv'),
    'mismatch',
    `{${at('taxDv')}} must be the check digit of {${at('taxId')}}${asType}`,
  )
}

function mustBeMissing(field: Field, sent: number | undefined): void {
  if (sent === undefined) return
  refuseProperty(
    at(field),
    'not_allowed',
    `{${at(field)}} must be left out with the {${at('taxId')}} ${FINAL_CONSUMER_RUC}`,
  )
}
