/** What a model reads about its session before the first call. */
import { PAGE } from './shared/answers.ts'
import { hasControl, type Interface } from './shared/interfaces.ts'

interface Described {
  /** The only workspace of the session; null if it has all. */
  readonly workspace: string | null
  readonly isReadOnly: boolean
  readonly interfaces: readonly Interface[]
  /** The names of the interfaces whose operations are tools of their own. */
  readonly single: readonly string[]
  /** The account of the workspace in the paths of conversations. */
  readonly accountId: number | null
}

export function instructionsFor(described: Described): string {
  const { workspace, isReadOnly, interfaces, single, accountId } = described
  const isSteering = hasControl(interfaces)
  const names = interfaces.map(({ name, title }) => `${name} (${title})`).join(', ')
  return [
    isSteering
      ? 'Controls a simulator of a business suite, and calls its interfaces.'
      : 'Calls the interfaces of a business suite.',
    `The interfaces are ${names}.`,
    `search_operations finds their operations${isSteering ? ' by what you want, such as {"words": "move time forward"}' : ''}, describe_operation says how to call one, and call_operation calls it.`,
    ...(single.length > 0 ? [`Each operation of ${single.join(', ')} is a tool, too.`] : []),
    ...(isSteering ? steering(workspace, isReadOnly) : []),
    ...(accountId !== null && interfaces.some(({ name }) => name === 'conversations')
      ? [`The account of conversations is ${String(accountId)}.`]
      : []),
    ...(isReadOnly ? ['The session is read-only.'] : []),
    `Answers longer than ${String(PAGE)} characters are split into pages. readAnswer returns the next page.`,
  ].join(' ')
}

/** How to set up a situation and look at its result, with the calls that every session needs. */
function steering(workspace: string | null, isReadOnly: boolean): string[] {
  return [
    'control makes workspaces, moves their clocks, triggers what people do outside the interfaces, injects faults, and has the calls, webhook deliveries, e-mails and records.',
    ...(workspace === null
      ? [
          'All calls of a workspace take its id as workspace; the workspace "demo" has the key demo-key.',
          ...(isReadOnly
            ? []
            : [`A new one: call_operation ${callOf('createWorkspace', { body: { fixtures: 'demo' } })}.`]),
        ]
      : [`This session is confined to the workspace ${JSON.stringify(workspace)}. You can omit its id.`]),
    ...(isReadOnly
      ? []
      : [
          `Move its time: ${callOf('advanceClock', { ...ofWorkspace(workspace), body: { duration: 'PT1H' } })}.`,
        ]),
    `See its webhooks: ${callOf('listDeliveries', { ...ofWorkspace(workspace), query: { limit: 5 } })}.`,
    'suite-sim://llms.txt lists the documents.',
  ]
}

const callOf = (operation: string, rest: object): string =>
  JSON.stringify({ interface: 'control', operation, ...rest })

const ofWorkspace = (workspace: string | null): object => (workspace === null ? { workspace: 'ID' } : {})
