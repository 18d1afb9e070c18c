import type { ClientDocuments } from '../clientTypes.mjs'

export function goTypes(documents: ClientDocuments): string
