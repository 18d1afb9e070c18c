/**
 * The interfaces of the suite, in the order of OPERATING.md. This is the only list: app.ts finds the definition of each
 * interface by its name, and schemas, documents and tests use it.
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
