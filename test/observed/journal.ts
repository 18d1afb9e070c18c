/** The part of a recorded call that tests of overlays read. */
export interface JournalRecord {
  readonly status: number
  readonly hints?: readonly { readonly code: string; readonly message: string }[]
  readonly response: { readonly body: unknown; readonly headers: Readonly<Record<string, unknown>> }
}
