import type { ClientDocuments } from '../clientTypes.mjs'

export function pythonTypes(documents: ClientDocuments): string
