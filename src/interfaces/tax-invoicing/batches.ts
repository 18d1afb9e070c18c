/** Batches of invoices. Specification part 2, "Tax invoicing": the server stamps each invoice on its own. */
import type { Static } from '@sinclair/typebox'
import type { Resource } from '../../http/definition/definition.ts'
import { routesOf } from '../../http/definition/routes.ts'
import type { HeavyWork } from '../../http/files/heavyWork/index.ts'
import { problemsOf } from '../../http/schemas/validation.ts'
import { documentedBut } from '../../state/model/fidelity.ts'
import { Refusal, type FieldProblem } from '../../state/model/refusal.ts'
import { Slices } from '../../state/model/slices.ts'
import { issueInvoice } from '../../state/tax-invoicing/invoices/issueInvoice.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { newInvoiceOf } from './invoiceFields.ts'
import { BatchBody, BatchResult, type Outcome } from './shapes/batches.ts'
import { InvoiceCreate } from './shapes/invoiceBodies.ts'
import { sendToClient } from './sending.ts'

export const batches: Resource = async (app) => {
  const at = routesOf(app, { tag: 'Invoices' })

  at('/invoices/batch').post({
    id: 'createInvoiceBatch',
    summary: 'Stamp up to 100 invoices',
    description:
      'Stamps the invoices one by one, in the order of the request. An invalid invoice does not stop the others: its result has the status error and says why.',
    scope: 'invoices:write',
    fidelity: documentedBut('Assumed: each failed result lists its invalid fields in details.'),
    assumedStatus:
      'The specification does not show the status. The simulator returns 200, even if every invoice fails.',
    body: BatchBody,
    answers: { 200: BatchResult },
    async run({ body, workspace }) {
      const slices = new Slices()
      const results: Static<typeof Outcome>[] = []
      for (const [index, sent] of body.invoices.entries()) {
        if (slices.isOver) await slices.turn()
        results.push({ index, ...(await outcomeOf(workspace, sent, app.heavyWork)) })
      }
      const successful = results.filter(({ status }) => status === 'success').length
      return {
        batch_id: workspace.ids.prefixed('batch_'),
        total_invoices: results.length,
        successful,
        failed: results.length - successful,
        results,
      }
    },
  })
}

type UnnumberedOutcome = Omit<Static<typeof Outcome>, 'index'>

async function outcomeOf(
  workspace: Workspace,
  sent: Static<typeof InvoiceCreate>,
  heavyWork: HeavyWork,
): Promise<UnnumberedOutcome> {
  const problems = problemsOf(InvoiceCreate, sent)
  if (problems.length > 0) return failure(problems[0]?.message ?? '', problems)
  try {
    const invoice = issueInvoice(workspace, newInvoiceOf(sent))
    if (sent.enviar_email) await sendToClient(workspace, invoice, heavyWork)
    return { status: 'success', invoice_id: invoice.id, uuid: invoice.uuid }
  } catch (error) {
    if (error instanceof Refusal && error.reason === 'invalid') {
      return failure(error.message, error.info.details ?? [])
    }
    throw error
  }
}

const failure = (error: string, details: readonly FieldProblem[]): UnnumberedOutcome => ({
  status: 'error',
  error,
  details: [...details],
})
