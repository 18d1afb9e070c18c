/** Wire shapes of batches of invoices. Specification part 2, "Tax invoicing": "Batch result". */
import { Type } from '@sinclair/typebox'
import { FieldProblemShape } from '../../../http/definition/dialect.ts'
import { Assumed, documentedLimits, named, OneOf } from '../../../http/schemas/schemas.ts'
import { Id } from '../../../http/schemas/wireShapes.ts'
import { InvoiceCreate } from './invoiceBodies.ts'
import { Uuid } from './invoices.ts'

/** The maximum number of invoices in a batch. Specification part 2, "Limits". */
export const MAX_IN_BATCH = 100

export const BatchBody = named(
  'InvoiceBatch',
  Type.Object({
    invoices: Type.Array(InvoiceCreate, {
      minItems: 1,
      maxItems: MAX_IN_BATCH,
      ...documentedLimits('maxItems'),
      // Items are validated one by one, so that an invalid invoice does not stop the others.
      'x-items-apart': true,
    }),
  }),
)

export const Outcome = named(
  'BatchOutcome',
  Type.Object({
    index: Type.Integer({ minimum: 0, description: 'The position of the invoice in the request, from 0.' }),
    status: OneOf(['success', 'error']),
    invoice_id: Type.Optional(Id('inv_', { description: 'If the status is success.' })),
    uuid: Type.Optional(Uuid({ description: 'If the status is success.' })),
    error: Type.Optional(Type.String({ description: 'Why the invoice was not stamped.' })),
    details: Type.Optional(
      Assumed(
        'The specification shows only the error text. The simulator also lists the invalid fields, as POST /invoices does.',
        Type.Array(FieldProblemShape),
      ),
    ),
  }),
)

export const BatchResult = named(
  'BatchResult',
  Type.Object({
    batch_id: Type.String({ examples: ['batch_4kQ2nC8vT1sYx0ZbRj7m'] }),
    total_invoices: Type.Integer({ minimum: 1 }),
    successful: Type.Integer({ minimum: 0 }),
    failed: Type.Integer({ minimum: 0 }),
    results: Type.Array(Outcome),
  }),
)
