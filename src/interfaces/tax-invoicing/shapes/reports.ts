/** Wire shapes of reports. Specification part 2, "Tax invoicing". */
import { Type } from '@sinclair/typebox'
import {
  Assumed,
  assumedDefault,
  assumedValues,
  CalendarDate,
  Instant,
  Int,
  named,
  Nullable,
  OneOf,
} from '../../../http/schemas/schemas.ts'
import { MAX_ROWS, type FileKind } from '../../../http/files/tables/tableFiles.ts'
import { cancellationMachine, invoiceMachine } from '../../../state/tax-invoicing/machines.ts'
import { AGES, RECEIVABLE_STATUSES, type Age } from '../../../state/tax-invoicing/reports/receivables.ts'
import { PERIODS } from '../../../state/tax-invoicing/reports/reportPeriods.ts'
import { GROUPINGS } from '../../../state/tax-invoicing/reports/reports.ts'
import { CANCELLATION_REASONS, INVOICE_TYPES } from '../../../state/tax-invoicing/tables.ts'
import { ISSUER_ZONE } from './common.ts'
import { Uuid } from './invoices.ts'

const format = <const Kinds extends readonly string[]>(kinds: Kinds, options: object = {}) =>
  OneOf(kinds, {
    ...assumedDefault('json'),
    description: `json, or the report as a table in a file. pdf has at most ${maxRows('pdf')} rows, xlsx at most ${maxRows('xlsx')} (assumed).`,
    ...options,
  })

const maxRows = (kind: FileKind): string => MAX_ROWS[kind].toLocaleString('en')

export const ALL_FORMATS = ['json', 'pdf', 'xlsx', 'csv'] as const
export const TAX_FORMATS = ['json', 'pdf', 'xlsx'] as const

/** The formats of a report for which the specification shows no values. */
const assumedFormat = format(
  ALL_FORMATS,
  assumedValues(
    'The specification does not show the formats of this report. They are those of the income report.',
    ...ALL_FORMATS,
  ),
)

const periodQuery = {
  period: OneOf(PERIODS, { ...assumedDefault('month'), description: 'Default is month (assumed).' }),
  date: Type.Optional(
    CalendarDate({
      description: `A day in the period, in the time zone of ${ISSUER_ZONE} (assumed). Default is today.`,
      examples: ['2026-11-21'],
    }),
  ),
}

export const IncomeQuery = Type.Object({
  ...periodQuery,
  format: format(ALL_FORMATS),
  group_by: OneOf(GROUPINGS, { ...assumedDefault('client'), description: 'Default is client (assumed).' }),
})

export const TaxQuery = Type.Object({ ...periodQuery, format: format(TAX_FORMATS) })

export const CancellationQuery = Type.Object({ ...periodQuery, format: assumedFormat })

export const ReceivableQuery = Type.Object({
  status: Type.Optional(
    OneOf(RECEIVABLE_STATUSES, { description: 'Default is all unpaid invoices (assumed).' }),
  ),
  aging: Type.Optional(OneOf(AGES, { description: 'Days since the date of the invoice (assumed).' })),
  format: assumedFormat,
})

export const XmlQuery = Type.Object({
  from: Type.Optional(
    CalendarDate({
      description: `The first day, in the time zone of ${ISSUER_ZONE} (assumed).`,
      examples: ['2026-11-01'],
    }),
  ),
  to: Type.Optional(CalendarDate({ description: 'The last day (inclusive).', examples: ['2026-11-30'] })),
  type: Type.Optional(OneOf(INVOICE_TYPES)),
})

const Amount = (description = 'In MXN.') => Type.Number({ description, examples: [1160] })

const Rate = () =>
  Nullable(
    Type.Number({ description: 'Pesos for one unit of the currency; null if there is none.', examples: [1] }),
  )

const Count = () => Int({ minimum: 0, examples: [1] })

const period = Type.String({ description: '2026-11, 2026-Q4 or 2026 (assumed).', examples: ['2026-11'] })

const days = {
  from: Assumed('Not shown: the first day.', CalendarDate({ examples: ['2026-11-01'] })),
  to: Assumed('Not shown: the last day.', CalendarDate({ examples: ['2026-11-30'] })),
}

const ofGroup = (why: string, example: string) =>
  Type.Optional(Assumed(why, Type.String({ examples: [example] })))

export const IncomeReport = named(
  'IncomeReport',
  Type.Object({
    period,
    ...days,
    total_income: Amount('The total of income invoices in MXN, without cancelled ones (assumed).'),
    total_credit_notes: Amount('The total of credit notes in MXN, without cancelled ones.'),
    net_income: Amount(),
    invoice_count: Count(),
    breakdown: Type.Array(
      Type.Object({
        client_rfc: Type.Optional(
          Type.String({ description: 'If group_by is client.', examples: ['URE180429TM6'] }),
        ),
        client_name: Type.Optional(Type.String({ examples: ['UNIVERSIDAD ROBOTICA ESPAÑOLA'] })),
        clave_prod_serv: ofGroup('Not shown: present if group_by is product.', '56101500'),
        descripcion: ofGroup('Not shown: present if group_by is product.', 'Silla de oficina'),
        month: ofGroup('Not shown: present if group_by is month.', '2026-11'),
        invoice_count: Count(),
        total: Amount(),
        percentage: Type.Number({
          description: 'The share of the income in percent, with two decimals (assumed).',
          examples: [100],
        }),
      }),
    ),
  }),
)

const rate = Type.Object({ base: Amount(), importe: Amount() })

export const TaxReport = named(
  'TaxReport',
  Type.Object({
    period: Assumed('Not shown. The income report has the same field.', period),
    ...days,
    iva_trasladado: Type.Object({
      tasa_16: rate,
      tasa_8: rate,
      tasa_0: rate,
      exento: Type.Object({ base: Amount() }),
      total: Amount(),
    }),
    retenciones: Type.Object({ isr: Amount(), iva_retenido: Amount(), total: Amount() }),
    invoice_count: Count(),
    credit_note_count: Count(),
  }),
)

const client = Type.Object({ rfc: Type.String(), nombre: Type.String() })

const countOf = (names: readonly string[]) =>
  Type.Object(Object.fromEntries(names.map((name) => [name, Count()])))

const invoice = {
  invoice_id: Type.String(),
  uuid: Uuid(),
  serie: Type.String(),
  folio: Int({ minimum: 1 }),
}

export const CancellationReport = named(
  'CancellationReport',
  Assumed(
    'The specification does not show this report. It lists the cancellation requests of the period.',
    Type.Object({
      period,
      ...days,
      total: Count(),
      total_amount: Amount('The total of all listed invoices in MXN.'),
      by_motivo: countOf(CANCELLATION_REASONS),
      by_status: countOf(cancellationMachine.states),
      invoices: Type.Array(
        Type.Object({
          ...invoice,
          type: OneOf(INVOICE_TYPES),
          client,
          total: Amount('In the currency of the invoice.'),
          moneda: Type.String(),
          tipo_cambio: Rate(),
          total_mxn: Amount('In MXN. The rows add up to total_amount.'),
          status: OneOf(invoiceMachine.states),
          motivo: OneOf(CANCELLATION_REASONS),
          uuid_sustitucion: Nullable(Uuid()),
          cancellation_status: OneOf(cancellationMachine.states),
          requested_at: Instant(),
          resolved_at: Nullable(Instant()),
        }),
      ),
    }),
  ),
)

export const ReceivableReport = named(
  'ReceivableReport',
  Assumed(
    'The specification does not show this report. It lists invoices with metodo_pago PPD that are not cancelled, less their active credit notes. The simulator stores no payment terms, so each invoice is due on its date.',
    Type.Object({
      data: Type.Array(
        Type.Object({
          ...invoice,
          client,
          date: Instant(),
          due_date: CalendarDate(),
          moneda: Type.String(),
          total: Amount('In the currency of the invoice, like paid, credited and balance.'),
          paid: Amount(''),
          credited: Amount('The amount of the active credit notes that relate to the invoice.'),
          balance: Amount(
            'The total less paid and credited. Negative if the recipient has a balance in favor; the status is then paid (assumed).',
          ),
          tipo_cambio: Rate(),
          balance_mxn: Amount('The balance in MXN. The rows add up to the total of the summary.'),
          status: OneOf(RECEIVABLE_STATUSES),
          days_overdue: Count(),
          aging_bucket: OneOf(AGES),
        }),
      ),
      summary: Type.Object({
        invoice_count: Count(),
        total: Amount('The sum of the balances in MXN.'),
        by_aging: Type.Object(
          Object.fromEntries(AGES.map((age) => [age, Amount()])) as Record<Age, ReturnType<typeof Amount>>,
        ),
      }),
    }),
  ),
)
