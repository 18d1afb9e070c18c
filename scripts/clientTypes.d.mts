import type { App } from '../src/app.ts'

export function controlTypes(app: App, interfaceNames: readonly string[]): Promise<string>
export function interfaceTypes(app: App, names: readonly string[]): Promise<Record<string, string>>
