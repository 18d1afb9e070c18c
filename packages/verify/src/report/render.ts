/** Renders a report in one of its formats. */
import type { ReportFormat } from './formats.ts'
import { reportAsJunit } from './junit.ts'
import { reportAsMarkdown } from './markdown.ts'
import { reportAsJson } from './json.ts'
import type { Report } from './report.ts'
import { reportAsSarif } from './sarif.ts'
import { reportAsText, type Paint } from './text.ts'

/** Returns a report as text. `paint` colors it for a terminal. */
export function renderReport(report: Report, format: ReportFormat, paint?: Paint): string {
  switch (format) {
    case 'text':
      return reportAsText(report, paint)
    case 'json':
      return reportAsJson(report)
    case 'junit':
      return reportAsJunit(report)
    case 'sarif':
      return reportAsSarif(report)
    case 'markdown':
      return reportAsMarkdown(report)
  }
}
