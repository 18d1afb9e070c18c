import type { ClientDocuments } from '../clientTypes.mjs'

export function typescriptTypes(documents: ClientDocuments): string
