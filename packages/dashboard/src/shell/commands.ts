/** What the palette offers: pages, workspaces, triggers, record sections, actions, and the results of the search. */
import type { Schema } from '@suite-sim/client/calling'
import { isRunning, reloadRecordings, stopRecording } from '../parts/recordings.tsx'
import { reloadClock } from '../parts/times.tsx'
import { CLOCK_STEPS, resetQuestion, resetWorkspace } from '../parts/workspaceActions.ts'
import { addressOf, to } from '../route.ts'
import { server, type Workspace } from '../server.ts'
import type { PageTitle } from './head.tsx'
import { fold } from '@suite-sim/kit/text/collation'

export interface Command {
  readonly id: string
  readonly group: string
  readonly title: string
  /** A second text, which the palette searches too. */
  readonly note?: string
  /** The section of a record. */
  readonly section?: string
  /** Goes to an address, or acts and returns a message for the user. */
  readonly run: string | (() => Promise<string | null>)
}

/** The actions that the palette shows before the user types. */
const GROUPS_AT_START = ['Pages', 'Actions']

export function pageCommands(pages: readonly PageTitle[], workspaces: readonly Workspace[]): Command[] {
  return [
    ...pages.map(({ name, title }) => ({ id: `page-${name}`, group: 'Pages', title, run: to(name) })),
    ...workspaces.map(({ id, name }) => ({
      id: `workspace-${id}`,
      group: 'Workspaces',
      title: name,
      note: id,
      run: addressOf('now', { workspace: id }),
    })),
  ]
}

export function actionCommands(workspace: Workspace, openHelp: () => void): Command[] {
  const path = { id: workspace.id }
  const action = (title: string, run: () => Promise<string | null>): Command => ({
    id: `action-${title.replaceAll(' ', '-')}`,
    group: 'Actions',
    title,
    run,
  })
  return [
    action('Copy the key', async () => {
      const { data } = await server().call('listWorkspaceKeys', { path: { id: workspace.id } })
      const [first] = data
      if (!first) return 'The workspace has no key.'
      await navigator.clipboard.writeText(first.key)
      return 'Key copied.'
    }),
    ...CLOCK_STEPS.map(([words, duration]) =>
      action(`Advance the clock by ${words}`, async () => {
        const { ran, deliveries } = await server().call('advanceClock', { path, body: { duration } })
        reloadClock()
        const jobs = ran.reduce((sum, { count }) => sum + count, 0)
        return `Clock advanced by ${words}. Jobs: ${String(jobs)}. Delivery attempts: ${String(deliveries.sent)}.`
      }),
    ),
    ...([true, false] as const).map((frozen) =>
      action(frozen ? 'Freeze the clock' : 'Resume the clock', async () => {
        await server().call('setClock', { path, body: { frozen } })
        reloadClock()
        return frozen ? 'Clock frozen.' : 'Clock resumed.'
      }),
    ),
    action('Start a recording', async () => {
      await server().call('startRecording', { path, body: {} })
      reloadRecordings()
      return 'Recording started.'
    }),
    action('Stop the recording', async () => {
      const running = (await server().call('listRecordings', { path })).data.find(isRunning)
      if (!running) return 'No recording is running.'
      await stopRecording(workspace.id, running.id)
      reloadRecordings()
      return `Recording ${running.name} stopped.`
    }),
    action('Reset workspace', async () => {
      if (confirm(resetQuestion(workspace))) await resetWorkspace(workspace)
      return null
    }),
    action('Show keyboard shortcuts', () => {
      openHelp()
      return Promise.resolve(null)
    }),
  ]
}

/** Loads the triggers and the record sections with records. */
export async function loadCommands(workspace: Workspace): Promise<Command[]> {
  const [triggers, sections] = await Promise.all([
    server().call('listTriggers'),
    server().call('listRecordSections', { path: { id: workspace.id } }),
  ])
  return [
    ...triggers.data.map(({ name, summary }) => ({
      id: `trigger-${name}`,
      group: 'Triggers',
      title: name,
      note: summary,
      run: to('triggers', { open: name }),
    })),
    ...sections.data
      .filter(({ count }) => count > 0)
      .map(({ section, title, count }) => ({
        id: `section-${section}`,
        group: 'Record sections',
        title,
        note: String(count),
        run: to('records', { section }),
      })),
  ]
}

const KINDS: Readonly<Record<Schema<'SearchResult'>['kind'], readonly [group: string, page: string]>> = {
  request: ['Calls', 'calls'],
  email: ['E-mails', 'emails'],
  delivery: ['Deliveries', 'webhooks'],
  record: ['Records', 'records'],
}

export function resultCommands({ data }: Schema<'SearchResults'>): Command[] {
  return data.map(({ kind, id, section, title, excerpt }) => {
    const [group, page] = KINDS[kind]
    return {
      id: `${kind}-${section ?? ''}-${id}`,
      group,
      title,
      note: excerpt,
      ...(section !== undefined && { section }),
      run: to(page, { section, open: id }),
    }
  })
}

/** Returns the commands that contain all words; those whose title begins with the text come first in each group. */
export function matching(commands: readonly Command[], text: string): Command[] {
  const wanted = fold(text).trim()
  if (wanted === '') return commands.filter(({ group }) => GROUPS_AT_START.includes(group))
  const words = wanted.split(/\s+/)
  const found = commands.filter(({ title, note = '' }) => {
    const own = fold(`${title} ${note}`)
    return words.every((word) => own.includes(word))
  })
  const isFirst = ({ title }: Command): number => (fold(title).startsWith(wanted) ? 0 : 1)
  return found.sort((one, other) => isFirst(one) - isFirst(other))
}
