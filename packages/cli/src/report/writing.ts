/** Writes a report in its formats. */
import type { ReportFormat } from './formats.ts'
import { reportAsHtml } from './html.ts'
import { reportAsMarkdown } from './markdown.ts'
import type { RunReport } from './runReport.ts'

const WRITERS: Readonly<Record<ReportFormat, (report: RunReport) => string>> = {
  html: reportAsHtml,
  md: reportAsMarkdown,
  json: (report) => `${JSON.stringify(report, null, 2)}\n`,
}

export const writeAs = (format: ReportFormat, report: RunReport): string => WRITERS[format](report)
