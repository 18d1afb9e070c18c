/**
 * Whom an invoice is made out to. Specification part 2, "Lite invoicing": four types of recipient; a foreigner is
 * identified by foreignTaxId or passport, and country is required only with passport. What is required of the other three
 * is as the tax authority's form has it (assumed).
 */
import { refuseProperty } from '../refusal.ts'
import { normalRuc, readRuc, type TaxpayerType } from './ruc.ts'
import type { ReceiverType, Recipient } from './tables.ts'
import { RUC_RULE } from './taxpayers.ts'

/** A recipient as it was sent: what was left out is undefined. */
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

const UNNAMED = 'Consumidor final'

/** What the tax authority's form has in the place of a final consumer's RUC: it is none, and has no check digit. */
const NOBODYS_RUC = 'CIP-000-000-0000'

/** The recipient, if what was sent identifies one of its type. */
export function recipientOf(sent: SentRecipient): Recipient {
  const { title, required, notAllowed } = RULES[sent.receiverType]
  for (const field of required) {
    if (sent[field] === undefined)
      refuseProperty(at(field), 'required', `{${at(field)}} is required of ${title}`)
  }
  for (const field of notAllowed) {
    if (sent[field] !== undefined) {
      refuseProperty(at(field), 'not_allowed', `{${at(field)}} must be left out for ${title}`)
    }
  }
  if (sent.receiverType === '04') mustBeForeigner(sent)
  return {
    receiverType: sent.receiverType,
    name: sent.name ?? UNNAMED,
    ...taxpayerIn(sent),
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
      `{${at('foreignTaxId')}} or {${at('passport')}} is required of a foreigner`,
    )
  }
  if (passport !== undefined && country === undefined) {
    refuseProperty(at('country'), 'required', `{${at('country')}} is required with {${at('passport')}}`)
  }
}

/** The RUC with what follows from it; refused where what was sent beside it does not agree. */
function taxpayerIn({
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
  if (receiverType === '02' && normalRuc(taxId) === NOBODYS_RUC) {
    mustBeWithout('taxDv', taxDv)
    mustBeWithout('taxIdType', taxIdType)
    return { taxId: NOBODYS_RUC, taxDv: null, taxIdType: null }
  }
  const read = readRuc(taxId)
  if (!read) refuseProperty(at('taxId'), 'invalid_format', `{${at('taxId')}} ${RUC_RULE}`)
  if (taxDv !== undefined && taxDv !== read.dv) {
    refuseProperty(at('taxDv'), 'mismatch', `{${at('taxDv')}} must be the check digit of {${at('taxId')}}`)
  }
  if (taxIdType !== undefined && taxIdType !== read.type) {
    refuseProperty(
      at('taxIdType'),
      'mismatch',
      `{${at('taxIdType')}} must be as {${at('taxId')}} has it, ${String(read.type)}`,
    )
  }
  return { taxId: read.ruc, taxDv: read.dv, taxIdType: read.type }
}

function mustBeWithout(field: Field, sent: number | undefined): void {
  if (sent === undefined) return
  refuseProperty(
    at(field),
    'not_allowed',
    `{${at(field)}} must be left out with the {${at('taxId')}} ${NOBODYS_RUC}`,
  )
}
