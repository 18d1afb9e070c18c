/** Reads that create something on the other side. */
import type { InterfaceName } from '@suite-sim/kit/interfaceNames'
import type { Answers } from './answers.ts'

const XML = 'The first read of the XML or the PDF of a document can store its stamped XML.'

/** What happens, by operation. */
const SIDE_EFFECTS: Readonly<Partial<Record<InterfaceName, Readonly<Record<string, string>>>>> = {
  'tax-invoicing': {
    getInvoiceXml: XML,
    getInvoicePdf: XML,
    getPaymentReceiptXml: XML,
    getPaymentReceiptPdf: XML,
    downloadXml: XML,
  },
}

/** Returns what the calls of a crawl can have created, each sentence once. */
export function sideEffectsOf({ exchanges }: Answers): readonly string[] {
  const notes = exchanges.flatMap(({ probe: { operation } }) => {
    const note = SIDE_EFFECTS[operation.interface]?.[operation.id]
    return note === undefined ? [] : [`${operation.interface}: ${note}`]
  })
  return [...new Set(notes)]
}
