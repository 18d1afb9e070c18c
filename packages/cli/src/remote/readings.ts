/** `suite-sim readings`: shows the readings of a workspace, and chooses others. */
import { paint, print, table } from '@suite-sim/kit/terminal/output'
import type { WorkspaceSettings } from '@suite-sim/kit/terminal/settings'
import { pathOf, remoteOf } from '@suite-sim/kit/terminal/remote'

interface Reading {
  readonly name: string
  readonly title: string
  readonly alternatives: readonly { readonly value: string; readonly title: string }[]
}

interface Workspace {
  readonly readings: Readonly<Record<string, string>>
}

export async function listReadings(settings: WorkspaceSettings): Promise<void> {
  const remote = remoteOf(settings)
  const { data } = await remote.call<{ data: Reading[] }>('GET', '/readings')
  const { readings } = await remote.call<Workspace>('GET', pathOf(settings.workspace))
  const shown = data.map((reading) => ({ ...reading, value: readings[reading.name] }))
  print(settings, { data: shown }, () =>
    table(
      ['READING', 'VALUE', 'OTHERS', 'ABOUT'],
      shown.map(({ name, value = '', alternatives, title }) => [
        name,
        value,
        alternatives.flatMap((each) => (each.value === value ? [] : [each.value])).join(', '),
        title,
      ]),
    ),
  )
}

export async function setReadings(
  readings: Readonly<Record<string, string>>,
  settings: WorkspaceSettings,
): Promise<void> {
  const changed = await remoteOf(settings).call<Workspace>('PATCH', pathOf(settings.workspace), { readings })
  print(settings, changed.readings, () =>
    Object.keys(readings)
      .map((name) => `${name} is ${paint('green', changed.readings[name] ?? '')}`)
      .join('\n'),
  )
}
