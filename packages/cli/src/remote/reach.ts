/** `suite-sim reach`: puts a new record into a state, and prints the way there. */
import type { Schema } from '@suite-sim/client/calling'
import { io } from '@suite-sim/kit/terminal/io'
import { paint, print } from '@suite-sim/kit/terminal/output'
import { CommandError, UsageError } from '@suite-sim/kit/terminal/problem'
import { pathOf, remoteOf } from '@suite-sim/kit/terminal/remote'
import type { WorkspaceSettings } from '@suite-sim/kit/terminal/settings'

type Reached = Schema<'Reached'>

/** The forms of the way: commands for a shell, or code of the library. */
export const FORMS = ['curl', 'code'] as const

interface ReachSettings extends WorkspaceSettings {
  readonly fields?: Readonly<Record<string, unknown>>
  readonly as?: (typeof FORMS)[number]
}

export async function reach(
  record: string,
  state: string | undefined,
  { fields, as, ...settings }: ReachSettings,
): Promise<void> {
  // The server refuses an empty state with those that exist.
  const body = { record, state: state ?? '', ...(fields && { fields }) }
  const reached = await remoteOf(settings)
    .call<Reached>('POST', `${pathOf(settings.workspace)}/reach`, body)
    .catch((error: unknown): never => {
      throw state === undefined && error instanceof CommandError ? new UsageError(error.message) : error
    })
  const form = as ?? 'curl'
  const way = reached.way.map((step) => `${paint('dim', `${COMMENTS[form]} ${step.title}`)}\n${step[form]}`)
  if (as) io().stdout.write(`${way.join('\n')}\n`)
  else print(settings, reached, () => [...way, JSON.stringify(reached.record, null, 2)].join('\n'))
}

const COMMENTS = { curl: '#', code: '//' }

/** Parses --fields. */
export function parseObject(sent: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(sent)
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Readonly<Record<string, unknown>>
  } catch {
    // No JSON.
  }
  throw new UsageError(`--fields must be a JSON object such as '{"amount": 2550}', not '${sent}'`)
}
