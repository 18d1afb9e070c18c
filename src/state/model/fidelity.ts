/**
 * Whether something is in the specification or was added. Each operation, field, move and event has one of these; the
 * OpenAPI documents, the control plane and docs/fidelity show them.
 */
export type Fidelity =
  | { readonly status: 'documented'; readonly why?: string }
  | { readonly status: 'assumed'; readonly why: string }

export const documented: Fidelity = { status: 'documented' }

/** In the specification, without the details that `why` explains. */
export const documentedBut = (why: string): Fidelity => ({ status: 'documented', why })

/** Not in the specification. `why` is a sentence with the choice and its reason. */
export const assumed = (why: string): Fidelity => ({ status: 'assumed', why })
