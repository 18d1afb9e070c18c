import type { ReferencePage } from '../docs/.vitepress/reference.mts'

export function referencePage(source: {
  readonly name: string
  readonly basePath: string
  readonly document: Readonly<Record<string, unknown>>
}): ReferencePage
