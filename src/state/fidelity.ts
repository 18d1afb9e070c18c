/**
 * Whether a thing is in the specification or was filled in. Each operation, field, move and event carries one of
 * these; the OpenAPI documents, the control plane and docs/FIDELITY.md show them.
 */
export type Fidelity =
  | { readonly status: 'documented'; readonly why?: string }
  | { readonly status: 'assumed'; readonly why: string }

export const documented: Fidelity = { status: 'documented' }

/** In the specification, which is silent on the details that `why` tells. */
export const documentedBut = (why: string): Fidelity => ({ status: 'documented', why })

/** Not shown in the specification: `why` says in a sentence what was chosen and on what grounds. */
export const assumed = (why: string): Fidelity => ({ status: 'assumed', why })
