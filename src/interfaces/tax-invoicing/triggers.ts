/** Triggers for actions outside the interface: by recipients, by the authority and by time. */
import { Type } from '@sinclair/typebox'
import { trigger } from '../../http/definition/trigger.ts'
import { demoId, Id } from '../../http/schemas/wireShapes.ts'
import { shape } from '../../http/shapes/shape.ts'
import { assumed, documentedBut } from '../../state/model/fidelity.ts'
import { refuseField } from '../../state/model/refusal.ts'
import { decideCancellation } from '../../state/tax-invoicing/invoices/cancellations.ts'
import { expireInDays, WARNING_DAYS } from '../../state/tax-invoicing/xml/certificates.ts'
import { invoices } from '../../state/tax-invoicing/invoices/invoices.ts'
import { isRfc, normalRfc } from '../../state/tax-invoicing/taxpayers/rfc.ts'
import { TAX_REGIMES } from '../../state/tax-invoicing/catalogs/satCatalogs.ts'
import { taxpayers } from '../../state/tax-invoicing/tables.ts'
import { registerTaxpayer } from '../../state/tax-invoicing/taxpayers/taxpayers.ts'
import { normalizeText } from '../../state/tax-invoicing/xml/xml.ts'
import { CertificateData } from './payloads.ts'
import { xmlText } from './shapes/common.ts'
import { Invoice } from './shapes/invoices.ts'
import { certificateView } from './views.ts'

const Taxpayer = shape({}, taxpayers, {
  fields: () => ({
    rfc: {
      sent: 'create',
      required: true,
      schema: Type.String({ minLength: 1, maxLength: 13, examples: ['GODE561231GR8'] }),
    },
    nombre: { sent: 'create', required: true, takes: xmlText('ESTELA GODINEZ') },
    regimen_fiscal: {
      sent: 'create',
      body: Type.String({
        maxLength: 3,
        description: 'If it is missing, the registry accepts any regime.',
        examples: ['612'],
      }),
    },
    flagged: {
      sent: 'create',
      takes: { description: 'Whether it is on the list of flagged taxpayers. Default is false.' },
    },
  }),
})

const decision = (move: 'accept' | 'reject', pending: number, summary: string) =>
  trigger({
    name: `tax-invoicing.cancellation.${move}`,
    summary,
    body: Type.Object({ invoice_id: Id('inv_', { examples: [demoId('inv_', pending)] }) }),
    records: { invoice_id: 'tax-invoicing.invoices' },
    result: Invoice.item,
    fidelity: documentedBut('The specification shows that the recipient decides, but not how.'),
    run: (workspace, { invoice_id: id }) =>
      Invoice.view(decideCancellation(workspace, invoices.get(workspace, id), move), workspace),
  })

/** Invoices of the demo workspace with a pending cancellation, by number. */
const PENDING = { accepted: 5, rejected: 9 }

export const taxInvoicingTriggers = [
  decision('accept', PENDING.accepted, 'Accept the cancellation of an invoice as its recipient.'),
  decision('reject', PENDING.rejected, 'Reject the cancellation of an invoice as its recipient.'),
  trigger({
    name: 'tax-invoicing.taxpayer.register',
    summary: 'Register a taxpayer with the authority, or update its name or regime.',
    body: Taxpayer.create,
    result: Taxpayer.item,
    fidelity: assumed('The specification mentions the registry of the authority, but not its contents.'),
    run(workspace, { rfc: sent, nombre, regimen_fiscal: regimenFiscal = null, flagged = false }) {
      const rfc = normalRfc(sent)
      if (!isRfc(rfc))
        refuseField('rfc', 'invalid_format', 'rfc must have the form of a tax id with a valid date')
      if (regimenFiscal !== null && !TAX_REGIMES.has(regimenFiscal)) {
        refuseField('regimen_fiscal', 'not_allowed', 'regimen_fiscal must be in the catalog c_RegimenFiscal')
      }
      const taxpayer = { rfc, nombre: normalizeText(nombre), regimenFiscal, flagged }
      return Taxpayer.view(registerTaxpayer(workspace, taxpayer), workspace)
    },
  }),
  trigger({
    name: 'tax-invoicing.certificate.expiring',
    summary: 'Make the certificate of the issuer expire soon.',
    body: Type.Object({
      days: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 365,
          description: `Days until it expires. Default is ${String(WARNING_DAYS)}.`,
        }),
      ),
    }),
    result: CertificateData.properties.certificate,
    fidelity: assumed('The specification names the event, but not when it happens.'),
    run: (workspace, { days = WARNING_DAYS }) =>
      certificateView(expireInDays(workspace, days), workspace.now()),
  }),
]
