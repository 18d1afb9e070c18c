export const FORMATS = ['md', 'json'] as const
export type ReportFormat = (typeof FORMATS)[number]
