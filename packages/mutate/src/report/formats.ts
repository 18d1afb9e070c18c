/** The formats of a report. */
import { htmlReport } from './html.ts'
import { junitReport } from './junit.ts'
import { markdownReport } from './markdown.ts'
import type { Report } from './report.ts'
import { textReport } from './text.ts'

export const REPORT_FORMATS = ['text', 'json', 'md', 'junit', 'html'] as const
export type ReportFormat = (typeof REPORT_FORMATS)[number]

const WRITERS: Readonly<Record<ReportFormat, (report: Report) => string>> = {
  text: textReport,
  json: (report) => `${JSON.stringify(report, null, 2)}\n`,
  md: markdownReport,
  junit: junitReport,
  html: htmlReport,
}

export const writeReport = (format: ReportFormat, report: Report): string => WRITERS[format](report)
