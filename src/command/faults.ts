/** `suite-sim faults`: calls and deliveries that go wrong on purpose. */
import { print, table } from './output.ts'
import { Misuse } from './problem.ts'
import type { Within } from './reaching.ts'
import { pathTo } from './remote.ts'
import { pathOf, remoteOf } from './workspaces.ts'

/** The fields of a fault, as the flags give them. */
export const FAULT_FIELDS = [
  ...['preset', 'interface', 'method', 'path', 'status', 'body', 'header', 'delayMs', 'reset', 'times'],
  ...['probability', 'delivery', 'event'],
] as const

type FaultFlags = Within & Readonly<Record<string, unknown>>

interface Fault {
  readonly id: string
}

const pathOfFaults = ({ workspace }: Within): string => `${pathOf(workspace)}/faults`

export async function listFaults(settings: Within): Promise<void> {
  const answer = await remoteOf(settings).call<{ data: Fault[] }>('GET', pathOfFaults(settings))
  print(settings, answer, () =>
    table(
      ['ID', 'FAULT'],
      answer.data.map(({ id, ...fields }) => [id, JSON.stringify(fields)]),
    ),
  )
}

/** One JSON object, or flags; the server judges what they say. */
export async function addFault(written: string | undefined, settings: FaultFlags): Promise<void> {
  const flags = fieldsOf(settings)
  if (written !== undefined && Object.keys(flags).length > 0) {
    throw new Misuse('a fault is flags or one JSON object, not both')
  }
  const body = written === undefined ? flags : objectIn(written)
  const made = await remoteOf(settings).call<Fault>('POST', pathOfFaults(settings), body)
  print(settings, made, () => `${made.id} is there: ${JSON.stringify(body)}`)
}

export async function deleteFault(id: string, settings: Within): Promise<void> {
  await remoteOf(settings).call('DELETE', pathOfFaults(settings) + pathTo('/{id}', { id }))
  print(settings, { id, deleted: true }, () => `${id} is gone`)
}

export async function clearFaults(settings: Within): Promise<void> {
  await remoteOf(settings).call('DELETE', pathOfFaults(settings))
  print(settings, { cleared: true }, () => 'no faults are left')
}

function fieldsOf(settings: FaultFlags): Record<string, unknown> {
  const given = FAULT_FIELDS.filter((name) => settings[name] !== undefined)
  return Object.fromEntries(
    given.map((name) => {
      const value = settings[name]
      if (name === 'header') return ['headers', headersIn(value as readonly string[])]
      return [name, name === 'body' ? jsonOrText(String(value)) : value]
    }),
  )
}

/** "retry-after: 2" */
function headersIn(lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    lines.map((line) => {
      const [, name, value] = /^([^:\s]+):(.*)$/.exec(line) ?? []
      if (name === undefined || value === undefined) {
        throw new Misuse(`--header must be NAME: VALUE, not '${line}'`)
      }
      return [name, value.trimStart()]
    }),
  )
}

function jsonOrText(written: string): unknown {
  try {
    return JSON.parse(written)
  } catch {
    return written
  }
}

function objectIn(written: string): object {
  const value = jsonOrText(written)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw new Misuse(`a fault is one JSON object, not '${written}'`)
}
