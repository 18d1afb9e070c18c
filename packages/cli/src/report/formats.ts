export const FORMATS = ['html', 'md', 'json'] as const
export type ReportFormat = (typeof FORMATS)[number]
