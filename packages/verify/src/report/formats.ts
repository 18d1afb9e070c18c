/** The formats of a report, available without loading them. */

export const REPORT_FORMATS = ['text', 'json', 'junit', 'sarif', 'markdown'] as const

export type ReportFormat = (typeof REPORT_FORMATS)[number]
