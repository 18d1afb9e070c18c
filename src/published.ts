/**
 * What tools must know of the server without asking one: the formats of what it publishes and reads, and rules that they
 * check before they call it. It loads no server.
 */
export type { Extension, InterfaceDefinition, Wire } from './http/definition/definition.ts'
export type { JsonObject } from './http/openapi/components.ts'
export type { OpenApiDocument, PublishedOperation } from './http/openapi/documentParts.ts'
export { compare, sentenceFor } from './http/openapi/fidelity/facts.ts'
export type { DocumentedList, OperationRow } from './http/schemas/documentedList.ts'
export { FORMATS } from './http/schemas/validation.ts'
export {
  type Entry,
  type Kind,
  MAX_ENTRIES,
  MAX_OVERLAY_BYTES,
  OBSERVED_FORMAT,
  type Overlay,
  type Patch,
  type ShapeName,
  type Source,
} from './observed/format.ts'
export { checkOverlay } from './observed/parse.ts'
export { countryCalled } from './state/shared/countries.ts'
export { MESSAGE_TYPES } from './state/conversations/tables.ts'
export { FUNNEL } from './state/recruiting/machines.ts'
export { sumByKind } from './state/tax-invoicing/documents/totals.ts'
export type { TaxLine } from './state/tax-invoicing/jsonColumns.ts'
export { isGeneric } from './state/tax-invoicing/taxpayers/taxpayers.ts'
