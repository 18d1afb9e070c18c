/** What a model reads about its session before the first call. */
import { PAGE } from './shared/answers.ts'
import type { Interface } from './operations/operations.ts'

interface Described {
  /** The only workspace of the session; null if it has all. */
  readonly workspace: string | null
  readonly isReadOnly: boolean
  readonly tools: readonly string[]
  readonly interfaces: readonly Interface[]
  /** The account of the workspace in the paths of conversations. */
  readonly accountId: number | null
}

export function instructionsFor({ workspace, isReadOnly, tools, interfaces, accountId }: Described): string {
  const hasControl = tools.includes('control')
  const names = interfaces.map(({ name, title }) => `${name} (${title})`).join(', ')
  return [
    ...(hasControl
      ? [
          'Controls a simulator of a business suite. Read suite-sim://llms.txt first.',
          workspaceHint(workspace),
        ]
      : ['Calls the interfaces of a business suite.']),
    ...(tools.some(isOfInterfaces) ? [`The interfaces are ${names}.`] : []),
    ...(tools.includes('search')
      ? [
          'search_operations finds their operations, describe_operation says how to call one, and call_operation calls it.',
        ]
      : []),
    ...(tools.includes('operations') ? ['Each operation is a tool.'] : []),
    ...(accountId !== null &&
    interfaces.some(({ name }) => name === 'conversations') &&
    tools.some(isOfInterfaces)
      ? [`The account of conversations is ${String(accountId)}.`]
      : []),
    ...(isReadOnly ? ['The tools are read-only.'] : []),
    `Answers longer than ${String(PAGE)} characters are split into pages. readAnswer returns the next page.`,
  ].join(' ')
}

const isOfInterfaces = (group: string): boolean => group !== 'control'

const workspaceHint = (workspace: string | null): string =>
  workspace === null
    ? 'The workspace "demo" has the key demo-key.'
    : `This session is confined to the workspace ${JSON.stringify(workspace)}. You can omit its id.`
