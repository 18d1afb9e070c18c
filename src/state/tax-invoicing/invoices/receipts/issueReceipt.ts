/** Issues payment receipts, with the installments and balances of their invoices. Specification part 2, "Tax invoicing". */
import type { Workspace } from '../../../workspace/workspace.ts'
import {
  decimal,
  countDecimals,
  EQUIVALENCE_DECIMALS,
  formatFixed,
  LINE_DECIMALS,
  roundAmount,
  sumOf,
  ZERO,
  type Amount,
} from '../../documents/amounts.ts'
import { LARGEST_AMOUNT, TOO_PRECISE, type AddProblem } from '../../documents/concepts.ts'
import { inPesos, NO_CURRENCY, PESO } from '../../documents/documents.ts'
import { hintAtRate } from '../../documents/exchangeRates.ts'
import { appendTaxInvoicingEvent } from '../../documents/events.ts'
import { indexNotes } from '../creditNotes.ts'
import { invoiceByUuid, invoices, type Invoice } from '../invoices.ts'
import { ISSUER, PLACE_OF_ISSUE } from '../../taxpayers/issuer.ts'
import { stampAndStore } from '../issueInvoice.ts'
import type { NewDocument, NewReceipt } from './newReceipts.ts'
import { checkPaidTaxes, paidTaxesOf, shareOf } from './paidTaxes.ts'
import { hintAtDocument, hintAtOverpayments, hintAtReplacedReceipts } from './paymentHints.ts'
import { paymentsElement, type PaidDocument } from '../../xml/payments.ts'
import { Problems } from '../../documents/problems.ts'
import { checkRelations } from '../../documents/relations.ts'
import {
  documentsOf,
  nextPart,
  receiptDocuments,
  receipts,
  replacedReceipts,
  undoReceipt,
  type Receipt,
  type ReceiptDocument,
} from '../receipts.ts'
import { isRfc, personKind } from '../../taxpayers/rfc.ts'
import { currencies, OBJECT_CODES, PAYMENT_FORMS } from '../../catalogs/satCatalogs.ts'
import { nextFolio } from '../../documents/series.ts'
import { localTime } from '../../xml/stamping.ts'
import type { Concept } from '../../jsonColumns.ts'
import { FOREIGN_GENERIC } from '../../taxpayers/taxpayers.ts'

const decimalsIn = (currency: string): number => currencies().get(currency)?.decimales ?? 2

/** Validates, seals and stamps a receipt. */
export function issueReceipt(workspace: Workspace, newReceipt: NewReceipt): Receipt {
  indexNotes(workspace)
  return workspace.write(() => {
    const problems = new Problems()
    checkPayment(newReceipt, problems)
    checkRelations({ type: 'P', relaciones: newReceipt.relaciones }, () => false, problems)
    hintAtReplacedReceipts(workspace, newReceipt)
    const places = clearPlaces(workspace, newReceipt)
    const documents = newReceipt.documentos.flatMap((document, index) => {
      const paid = computePaid(workspace, newReceipt, document, places, index, problems)
      return paid ? [paid] : []
    })
    problems.throwIfAny()
    checkDocuments(newReceipt, documents, problems)
    problems.throwIfAny()
    hintAtRate(newReceipt.moneda, newReceipt.tipoCambio)
    hintAtOverpayments(workspace, documents)
    return storeReceipt(workspace, newReceipt, documents)
  })
}

/** The payments of replaced receipts by the UUID of their invoice. A new payment of the invoice takes its place. */
type Places = ReadonlyMap<string, ReceiptDocument>

/** Undoes the receipts that the new one replaces, and returns their first payment of each invoice. */
function clearPlaces(workspace: Workspace, newReceipt: NewReceipt): Places {
  const places = new Map<string, ReceiptDocument>()
  for (const { id } of replacedReceipts(workspace, newReceipt)) {
    for (const document of documentsOf.of(workspace, id)) {
      const other = places.get(document.uuid)
      if (document.live && !(other && other.numParcialidad < document.numParcialidad)) {
        places.set(document.uuid, document)
      }
    }
    undoReceipt(workspace, id)
  }
  return places
}

// ---------------------------------------------------------------- validation

/** The years that the authority's schema allows for payments. */
const VALID_YEAR = /^20[1-9]\d-/

function checkPayment(receipt: NewReceipt, problems: Problems): void {
  const { moneda, tipoCambio, monto, formaPago } = receipt
  if (!VALID_YEAR.test(localTime(receipt.fechaPago))) {
    problems.add('fecha_pago', 'CRP20999', 'must be in the years 2010 to 2099')
  }
  const form = PAYMENT_FORMS.get(formaPago)
  if (!form || formaPago === '99') {
    problems.add('forma_pago', 'CRP20212', 'must be in the catalog c_FormaPago, and not 99')
  }
  if (!currencies().has(moneda) || moneda === NO_CURRENCY) {
    problems.add('moneda', 'CRP20213', 'must be a currency of the catalog c_Moneda')
  } else if (countDecimals(monto) > decimalsIn(moneda)) {
    problems.add('monto', 'too_precise', `must have at most ${String(decimalsIn(moneda))} decimals`)
  } else if (inPesos(decimal(monto), moneda, tipoCambio).gt(LARGEST_AMOUNT)) {
    problems.add('monto', 'too_large', `must be at most ${LARGEST_AMOUNT}, also in pesos`)
  }
  if (tipoCambio !== null && countDecimals(tipoCambio) > LINE_DECIMALS) {
    problems.add('tipo_cambio', 'too_precise', TOO_PRECISE)
  }
  if (moneda === PESO && tipoCambio !== null && !decimal(tipoCambio).eq(1)) {
    problems.add('tipo_cambio', 'CRP20215', 'must be 1 or left out if moneda is MXN')
  } else if (moneda !== PESO && tipoCambio === null) {
    problems.add('tipo_cambio', 'CRP20214', `is required if moneda is ${moneda}`)
  }
  checkBank(
    'ordenante',
    'cuenta_ordenante',
    receipt.rfcBancoOrdenante,
    receipt.cuentaOrdenante,
    form?.cuentaOrdenante,
  )
  checkBank(
    'beneficiario',
    'cuenta_beneficiaria',
    receipt.rfcBancoBeneficiario,
    receipt.cuentaBeneficiaria,
    form?.cuentaBeneficiaria,
  )

  function checkBank(
    side: 'ordenante' | 'beneficiario',
    accountField: string,
    bank: string | null,
    account: string | null,
    accountPattern: RegExp | null | undefined,
  ): void {
    if (!form) return
    if (bank !== null && !accountPattern) {
      problems.add(`rfc_banco_${side}`, 'CRP20221', `must be left out if forma_pago is ${formaPago}`)
    } else if (bank !== null && !isBank(bank, side)) {
      problems.add(`rfc_banco_${side}`, 'CRP20221', 'must have the form of the tax id of a company')
    }
    if (account === null) return
    if (!accountPattern)
      problems.add(accountField, 'CRP20221', `must be left out if forma_pago is ${formaPago}`)
    else if (!accountPattern.test(account)) {
      problems.add(accountField, 'CRP20221', `must be a valid account for the payment form ${formaPago}`)
    }
  }
}

/** Checks the tax id of a bank: a company, or for the payer also the generic tax id of foreigners. */
const isBank = (rfc: string, side: 'ordenante' | 'beneficiario'): boolean =>
  rfc === FOREIGN_GENERIC ? side === 'ordenante' : isRfc(rfc) && personKind(rfc) === 'moral'

/** NumParcialidad has at most three digits. */
const MAX_PARTS = 999

/** Validates a document and computes its missing fields. Returns undefined if its invoice can't be paid. */
function computePaid(
  workspace: Workspace,
  receipt: NewReceipt,
  document: NewDocument,
  places: Places,
  index: number,
  problems: Problems,
): PaidDocument | undefined {
  const add = (field: string, code: string, rule: string): void => {
    problems.add(`documentos_relacionados.${String(index)}.${field}`, code, rule)
  }
  const invoice = findPayableInvoice(workspace, document, add)
  if (!invoice) return undefined
  const decimals = decimalsIn(invoice.moneda)
  const place = places.get(invoice.uuid)
  const left = decimal(invoice.total).minus(invoice.paid)
  const before = place ? decimal(place.saldoAnterior) : left
  const importe = decimal(document.importePagado)
  const after = before.minus(importe)
  const part = place?.numParcialidad ?? nextPart(workspace, invoice.uuid)
  if (part > MAX_PARTS) {
    add(
      'uuid_factura',
      'not_payable',
      `must be the UUID of an invoice with fewer than ${String(MAX_PARTS)} receipts`,
    )
  }
  if (countDecimals(document.importePagado) > decimals) {
    add('importe_pagado', 'too_precise', `must have at most ${String(decimals)} decimals`)
  } else if (importe.gt(left) || after.lt(0)) {
    // Before a place in the middle, the balance includes what later receipts have paid.
    const max = left.lt(before) ? left : before
    add(
      'importe_pagado',
      'CRP20244',
      `must be at most the balance of the invoice, ${formatFixed(max, decimals)}`,
    )
  }
  mustBe(
    'num_parcialidad',
    document.numParcialidad === null || document.numParcialidad === part,
    String(part),
  )
  mustBe('saldo_anterior', isAmount(document.saldoAnterior, before), formatFixed(before, decimals))
  mustBe('saldo_insoluto', isAmount(document.saldoInsoluto, after), formatFixed(after, decimals), 'CRP20244')
  mustBe('serie', document.serie === null || document.serie === invoice.serie, invoice.serie)
  mustBe('folio', document.folio === null || document.folio === String(invoice.folio), String(invoice.folio))
  mustBe('moneda_dr', document.monedaDr === null || document.monedaDr === invoice.moneda, invoice.moneda)
  const equivalencia = equivalenceOf(receipt.moneda, invoice, document, add)
  if (document.impuestosDr) checkPaidTaxes(document.impuestosDr, invoice, importe, decimals, add)
  const impuestosDr = document.impuestosDr ? paidTaxesOf(document.impuestosDr) : shareOf(invoice, importe)
  const hasTaxes = impuestosDr.traslados.length + impuestosDr.retenciones.length > 0
  const objetoImpDr = document.objetoImpDr ?? (hasTaxes ? '02' : '01')
  if (!OBJECT_CODES.has(objetoImpDr)) add('objeto_imp_dr', 'CRP20245', 'must be in the catalog c_ObjetoImp')
  else if (objetoImpDr === '02' && !hasTaxes) {
    add('impuestos_dr', 'CRP20246', 'must not be empty if objeto_imp_dr is 02')
  } else if (objetoImpDr !== '02' && hasTaxes && document.impuestosDr) {
    add('impuestos_dr', 'CRP20247', `must be empty if objeto_imp_dr is ${objetoImpDr}`)
  }
  hintAtDocument(receipt, document, index, invoice)
  return {
    invoice,
    equivalencia,
    numParcialidad: part,
    saldoAnterior: formatFixed(before, decimals),
    importePagado: formatFixed(importe, decimals),
    saldoInsoluto: formatFixed(after.lt(0) ? ZERO : after, decimals),
    objetoImpDr,
    impuestosDr: objetoImpDr === '02' ? impuestosDr : { traslados: [], retenciones: [] },
  }

  function mustBe(field: string, isValid: boolean, expected: string, code = 'mismatch'): void {
    if (!isValid) add(field, code, `must be ${expected}, or left out`)
  }
}

/** Returns true if an optional amount is missing or has the expected value. */
const isAmount = (sent: string | null, expected: Amount): boolean =>
  sent === null || decimal(sent).eq(expected)

/** Finds the invoice of a document. Adds a problem and returns undefined if it can't be paid. */
function findPayableInvoice(
  workspace: Workspace,
  { uuid }: NewDocument,
  add: AddProblem,
): Invoice | undefined {
  const invoice = invoiceByUuid.find(workspace, uuid)
  if (!invoice) {
    add('uuid_factura', 'not_found', 'must be the UUID of an invoice of the issuer')
    return undefined
  }
  if (invoice.type !== 'I' || invoice.metodoPago !== 'PPD') {
    const reason =
      invoice.type === 'I'
        ? `its metodo_pago is ${String(invoice.metodoPago)}`
        : `its type is ${invoice.type}`
    add(
      'uuid_factura',
      'not_payable',
      `must be the UUID of an income invoice with metodo_pago PPD; ${reason}`,
    )
    return undefined
  }
  if (invoice.status !== 'active') {
    add(
      'uuid_factura',
      'invalid_state',
      `must be the UUID of an active invoice; this invoice is ${invoice.status}`,
    )
    return undefined
  }
  return invoice
}

/** Returns the units of the currency of the invoice for one unit of the currency of the payment. */
function equivalenceOf(
  moneda: string,
  invoice: Invoice,
  { equivalencia }: NewDocument,
  add: AddProblem,
): string {
  if (equivalencia !== null && countDecimals(equivalencia) > EQUIVALENCE_DECIMALS) {
    add('equivalencia_dr', 'too_precise', `must have at most ${String(EQUIVALENCE_DECIMALS)} decimals`)
  }
  if (moneda === invoice.moneda) {
    if (equivalencia !== null && !decimal(equivalencia).eq(1)) {
      add('equivalencia_dr', 'CRP20238', 'must be 1 or left out if the currencies are the same')
    }
    return '1'
  }
  if (equivalencia === null) {
    add('equivalencia_dr', 'CRP20238', `is required if ${invoice.moneda} is paid in ${moneda}`)
  }
  return equivalencia ?? '1'
}

/** Checks the documents of a receipt against each other and against its amount. */
function checkDocuments(
  { monto, moneda }: NewReceipt,
  documents: readonly PaidDocument[],
  problems: Problems,
): void {
  const [first] = documents
  const uuids = new Set<string>()
  documents.forEach(({ invoice }, index) => {
    const field = `documentos_relacionados.${String(index)}.uuid_factura`
    if (uuids.has(invoice.uuid)) problems.add(field, 'duplicate', 'must be unique in the receipt')
    uuids.add(invoice.uuid)
    if (invoice.receptor.rfc !== first?.invoice.receptor.rfc) {
      problems.add(field, 'mismatch', 'must be the UUID of an invoice with the same recipient as the first')
    }
  })
  const paid = roundAmount(
    sumOf(documents.map(({ importePagado, equivalencia }) => decimal(importePagado).div(equivalencia))),
    decimalsIn(moneda),
  )
  if (paid.gt(monto)) {
    problems.add('monto', 'CRP20217', `must be at least the sum of the paid amounts, ${paid.toFixed()}`)
  }
}

// ---------------------------------------------------------------- storage

/** The only line of every receipt. */
const LINE: Concept = {
  claveProdServ: '84111506',
  noIdentificacion: null,
  descripcion: 'Pago',
  cantidad: '1',
  claveUnidad: 'ACT',
  unidad: null,
  valorUnitario: '0',
  importe: '0',
  descuento: null,
  objetoImp: '01',
  impuestos: { traslados: [], retenciones: [] },
}

function storeReceipt(
  workspace: Workspace,
  newReceipt: NewReceipt,
  documents: readonly PaidDocument[],
): Receipt {
  const [first] = documents
  if (!first) throw new Error('a receipt pays at least one invoice')
  const { documentos: _documentos, serie, relaciones, ...fields } = newReceipt
  const monto = formatFixed(decimal(newReceipt.monto), decimalsIn(newReceipt.moneda))
  const tipoCambio = newReceipt.moneda === PESO ? '1' : (newReceipt.tipoCambio ?? '1')
  const invoice = stampAndStore(workspace, {
    type: 'P',
    serie,
    folio: nextFolio(workspace, serie),
    emisor: ISSUER,
    receptor: { ...first.invoice.receptor, usoCfdi: 'CP01' },
    conceptos: [LINE],
    impuestos: { traslados: [], retenciones: [] },
    relaciones,
    subtotal: '0',
    descuento: null,
    totalTrasladados: '0',
    totalRetenidos: '0',
    total: '0',
    moneda: NO_CURRENCY,
    tipoCambio: null,
    metodoPago: null,
    formaPago: null,
    lugarExpedicion: PLACE_OF_ISSUE,
    exportacion: '01',
    complement: paymentsElement({ ...fields, monto, tipoCambio }, documents),
  })
  const receipt = receipts.insert(workspace, {
    ...fields,
    monto,
    tipoCambio,
    id: invoice.id,
    receptorRfc: invoice.receptor.rfc,
    createdAt: invoice.createdAt,
  })
  documents.forEach(({ invoice: paid, ...document }, position) => {
    receiptDocuments.insert(workspace, {
      ...document,
      id: workspace.ids.prefixed('doc_'),
      receiptId: receipt.id,
      invoiceId: paid.id,
      uuid: paid.uuid,
      monedaDr: paid.moneda,
      position,
    })
    invoices.update(workspace, paid, {
      paid: decimal(paid.paid).plus(document.importePagado).toFixed(),
    })
  })
  appendTaxInvoicingEvent(workspace, 'payment_receipt.created', receipt.id, { receipt })
  return receipt
}
