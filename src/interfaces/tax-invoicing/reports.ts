/** Reports. Specification part 2, "Tax invoicing"; routes in the order of operations.tsv. */
import { Type } from '@sinclair/typebox'
import type { FastifyReply, preValidationHookHandler } from 'fastify'
import type { Resource } from '../../http/definition/definition.ts'
import { routesOf } from '../../http/definition/routes.ts'
import { filenames } from '../../http/files/filenames.ts'
import type { FileTable } from '../../http/files/tables/fileTable.ts'
import type { HeavyWork } from '../../http/files/heavyWork/index.ts'
import { JSON_TYPE, jsonInSlices } from '../../http/server/json.ts'
import { unpaged } from '../../http/definition/paging.ts'
import { FILE_TYPES, tableFile, type FileKind } from '../../http/files/tables/tableFiles.ts'
import { zipOf, type ZippedFile } from '../../http/files/zipFile.ts'
import { documented, documentedBut } from '../../state/model/fidelity.ts'
import { refuse } from '../../state/model/refusal.ts'
import { spanOf, type Span } from '../../state/shared/periods.ts'
import { ISSUER_PLACE } from '../../state/tax-invoicing/taxpayers/issuer.ts'
import { xmlOf } from '../../state/tax-invoicing/invoices/invoiceXml.ts'
import { cancellationsIn, receivables } from '../../state/tax-invoicing/reports/receivables.ts'
import { allInvoices } from '../../state/tax-invoicing/reports/reportedInvoices.ts'
import { periodOf } from '../../state/tax-invoicing/reports/reportPeriods.ts'
import { incomeReport, taxReport } from '../../state/tax-invoicing/reports/reports.ts'
import type { InvoiceType } from '../../state/tax-invoicing/tables.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { fileName } from './files.ts'
import { english, spanish, type Words } from './reportWords.ts'
import {
  cancellationsTable,
  cancellationsView,
  incomeTable,
  incomeView,
  receivablesTable,
  receivablesView,
  taxTable,
  taxView,
} from './reportViews.ts'
import {
  ALL_FORMATS,
  CancellationQuery,
  CancellationReport,
  IncomeQuery,
  IncomeReport,
  ReceivableQuery,
  ReceivableReport,
  TAX_FORMATS,
  TaxQuery,
  TaxReport,
  XmlQuery,
} from './shapes/reports.ts'

type Format = FileKind | 'json'

const filesOf = (formats: readonly Format[]): string[] =>
  formats.flatMap((format) => (format === 'json' ? [] : FILE_TYPES[format]))

interface ReportRequest {
  /** The name of the file, without its extension. */
  readonly name: string
  readonly reply: FastifyReply
  readonly format: Format
  readonly heavyWork: HeavyWork
}

/** Responds with the report as JSON, or with its table as a file. */
async function respond(
  { name, reply, format, heavyWork }: ReportRequest,
  report: object,
  table: (words: Words) => FileTable | Promise<FileTable>,
): Promise<unknown> {
  if (format === 'json') {
    void reply.type(JSON_TYPE)
    return jsonInSlices(report)
  }
  const file = await tableFile(format, await table(format === 'pdf' ? spanish : english), heavyWork)
  void reply
    .type(format === 'csv' ? `${FILE_TYPES.csv}; charset=utf-8` : FILE_TYPES[format])
    .header('content-disposition', `attachment; ${filenames(`${name.toLowerCase()}.${format}`)}`)
  return Buffer.from(file)
}

/** Restores the plus of "90+". A query decodes an unescaped plus as a space. */
const restorePlus: preValidationHookHandler = ({ query }, _reply, done) => {
  const sent = query as Record<string, unknown>
  if (sent['aging'] === '90 ') sent['aging'] = '90+'
  done()
}

export const reports: Resource = async (app) => {
  const at = routesOf(app, {
    tag: 'Reports',
    paging: unpaged('The response is one report over all matching invoices.'),
  })

  const { heavyWork } = app
  at('/reports/income').get({
    id: 'getIncomeReport',
    summary: 'Report on the income of a month, quarter or year',
    scope: 'reports:read',
    fidelity: documentedBut(
      'The specification shows the shape. Assumed: the report adds up the totals of invoices of type I and E that are not cancelled, in MXN, by date in the time zone of the issuer (America/Mexico_City). The breakdown covers the income, adds up to its total and starts with the largest share; months are in chronological order. A client is one tax id with its latest name; the generic tax ids have a client for each name. A PDF is in Spanish.',
    ),
    query: IncomeQuery,
    answers: { 200: IncomeReport },
    files: filesOf(ALL_FORMATS),
    async run({ query: { period: length, date, format, group_by: by }, workspace }, reply) {
      const period = periodOf(workspace, length, date)
      const report = await incomeView(period, by, await incomeReport(workspace, period, by))
      const name = `income-${period.label}`
      return respond({ name, reply, format, heavyWork }, report, (words) => incomeTable(report, by, words))
    },
  })

  at('/reports/taxes').get({
    id: 'getTaxReport',
    summary: 'Report on the taxes of a month, quarter or year',
    scope: 'reports:read',
    fidelity: documentedBut(
      'The specification shows the shape. Assumed: the report subtracts credit notes and ignores cancelled invoices. An invoice counts on its date of issue, paid or not. All amounts are in MXN.',
    ),
    query: TaxQuery,
    answers: { 200: TaxReport },
    files: filesOf(TAX_FORMATS),
    async run({ query: { period: length, date, format }, workspace }, reply) {
      const period = periodOf(workspace, length, date)
      const report = taxView(period, await taxReport(workspace, period))
      const name = `taxes-${period.label}`
      return respond({ name, reply, format, heavyWork }, report, (words) => taxTable(report, words))
    },
  })

  at('/reports/cancellations').get({
    id: 'getCancellationReport',
    summary: 'Report on the cancellations of a month, quarter or year',
    fidelity: documented,
    query: CancellationQuery,
    answers: { 200: CancellationReport },
    files: filesOf(ALL_FORMATS),
    async run({ query: { period: length, date, format }, workspace }, reply) {
      const period = periodOf(workspace, length, date)
      const report = await cancellationsView(period, await cancellationsIn(workspace, period))
      const name = `cancellations-${period.label}`
      return respond({ name, reply, format, heavyWork }, report, (words) => cancellationsTable(report, words))
    },
  })

  at('/reports/receivables').get({
    id: 'getReceivableReport',
    summary: 'Report on unpaid invoices',
    scope: 'reports:read',
    fidelity: documented,
    query: ReceivableQuery,
    before: restorePlus,
    answers: { 200: ReceivableReport },
    files: filesOf(ALL_FORMATS),
    async run({ query: { status, aging: age, format }, workspace }, reply) {
      const report = await receivablesView(await receivables(workspace, { status, age }))
      const now = workspace.now()
      return respond({ name: 'receivables', reply, format, heavyWork }, report, (words) =>
        receivablesTable(report, words, now),
      )
    },
  })

  at('/reports/xml-download').get({
    id: 'downloadXml',
    summary: 'Download the XML of invoices',
    scope: 'reports:read',
    fidelity: documentedBut(
      'Assumed: from and to are optional and inclusive days in the time zone of the issuer (America/Mexico_City). The archive includes cancelled invoices and payment receipts. It is empty if no invoice matches.',
    ),
    query: XmlQuery,
    answers: { 200: ZipArchive },
    async run({ query: { from, to, type }, workspace }, reply) {
      const span = spanOf(ISSUER_PLACE, from, to)
      if (span.start >= span.end) refuse('invalid_query', 'to must not be before from')
      void reply
        .type('application/zip')
        .header(
          'content-disposition',
          `attachment; ${filenames(`xml-${from ?? 'first'}-${to ?? 'last'}.zip`)}`,
        )
      return zipOf(filesIn(workspace, span, type))
    },
  })
}

const ZipArchive = Type.Unsafe<object>({
  type: 'string',
  contentMediaType: 'application/zip',
  description: 'One file for each invoice, with the name of its XML file.',
})

async function* filesIn(
  workspace: Workspace,
  span: Span,
  type: InvoiceType | undefined,
): AsyncGenerator<ZippedFile> {
  for await (const invoice of allInvoices(workspace, span)) {
    if (type !== undefined && invoice.type !== type) continue
    yield { name: fileName(invoice, 'xml'), text: xmlOf(workspace, invoice), changedAt: invoice.date }
  }
}
