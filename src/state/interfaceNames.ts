/**
 * The interfaces of the suite, in the order of OPERATING.md. No other list of them exists: app.ts finds the entry of each
 * by its name, and schemas, documents and tests read the names here.
 */
export const INTERFACE_NAMES = [
  'catalog',
  'crm',
  'signage',
  'recruiting',
  'forms',
  'payments',
  'integration-payments',
  'pos',
  'tax-invoicing',
  'lite-invoicing',
  'conversations',
  'meetings',
] as const

/** The name of an interface: `'catalog' | 'crm' | …`. */
export type InterfaceName = (typeof INTERFACE_NAMES)[number]
