/** The command palette: a text field and the list of what it finds (the combobox pattern of ARIA). */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { useRequest } from '../api.ts'
import { groupBy } from '../parts/groupBy.ts'
import { errorMessageOf, needsToken, server, type Workspace } from '../server.ts'
import {
  actionCommands,
  loadCommands,
  matching,
  pageCommands,
  resultCommands,
  type Command,
} from './commands.ts'
import { Dialog } from './dialog.tsx'
import { findFolded, fold } from '@suite-sim/kit/text/collation'
import type { PageTitle } from './head.tsx'

const MAX_PER_GROUP = 6
/** Milliseconds after the last key until the server searches. */
const DELAY_MS = 200
const MIN_LENGTH = 2

interface PaletteProps {
  readonly pages: readonly PageTitle[]
  readonly workspaces: readonly Workspace[]
  readonly workspace: Workspace | undefined
  readonly close: () => void
  readonly openHelp: () => void
  /** Shows the result of an action. */
  readonly say: (message: string) => void
}

export function Palette({ pages, workspaces, workspace, close, openHelp, say }: PaletteProps) {
  const [text, setText] = useState('')
  const [active, setActive] = useState(0)
  const loaded = useRequest(async () => (workspace ? loadCommands(workspace) : []), [workspace?.id])
  const { results, isNamed, isSearching, isComplete, problem } = useSearch(workspace, text)
  const commands = useMemo(
    () => [
      ...pageCommands(pages, workspaces),
      ...(workspace ? actionCommands(workspace, openHelp) : []),
      ...(loaded.value ?? []),
    ],
    [pages, workspaces, workspace, loaded.value],
  )
  const max = text === '' ? Infinity : MAX_PER_GROUP
  const found = isNamed
    ? [...results, ...matching(commands, text)]
    : [...matching(commands, text), ...results]
  const groups = groupBy(found, ({ group }) => group).map(([group, some]) => ({
    group,
    commands: some.slice(0, max),
  }))
  const shown = groups.flatMap(({ commands: some }) => some)
  const current = shown[Math.min(active, shown.length - 1)]
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [current?.id])

  const run = (command: Command): void => {
    close()
    if (typeof command.run === 'string') {
      location.hash = command.run
      return
    }
    command.run().then(
      (message) => {
        if (message !== null) say(message)
      },
      (error: unknown) => {
        if (!needsToken(error)) say(errorMessageOf(error))
      },
    )
  }
  const move = (event: KeyboardEvent): void => {
    const last = shown.length - 1
    const at = Math.min(active, last)
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: at >= last ? 0 : at + 1,
      ArrowUp: at <= 0 ? last : at - 1,
      PageDown: Math.min(last, at + 8),
      PageUp: Math.max(0, at - 8),
    }
    if (event.key === 'Enter' && current) run(current)
    else if (Object.hasOwn(moves, event.key)) setActive(moves[event.key] ?? 0)
    else return
    event.preventDefault()
  }
  return (
    <Dialog label="Command palette" name="palette" close={close}>
      <input
        type="text"
        role="combobox"
        aria-label="Search pages, records, calls and actions"
        aria-expanded="true"
        aria-controls="commands"
        aria-autocomplete="list"
        aria-activedescendant={current?.id}
        autocomplete="off"
        spellcheck={false}
        autofocus
        placeholder="Search pages, records, calls and actions"
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value)
          setActive(0)
        }}
        onKeyDown={move}
      />
      <div class="commands" id="commands" role="listbox" aria-label="Commands" ref={list}>
        {groups.map(({ group, commands: some }) => (
          <div key={group} role="group" aria-label={group}>
            <div class="group" aria-hidden="true">
              {group}
            </div>
            {some.map((command) => (
              <div
                key={command.id}
                id={command.id}
                role="option"
                aria-selected={command === current}
                onClick={() => {
                  run(command)
                }}
              >
                <span class="title">{marked(command.title, text)}</span>{' '}
                {command.section !== undefined && <code>{command.section}</code>}{' '}
                {command.note !== undefined && <span class="note">{marked(command.note, text)}</span>}
              </div>
            ))}
          </div>
        ))}
      </div>
      <p class="outcome" role="status">
        {problem ??
          (isSearching
            ? 'Searching\u2026'
            : shown.length === 0
              ? 'Nothing found.'
              : isComplete
                ? resultsText(shown.length)
                : `${resultsText(shown.length)}. More match: type more to narrow them down.`)}
      </p>
    </Dialog>
  )
}

/** Characters of an excerpt before its match. A longer part could push the match out of the row. */
const BEFORE = 16

/** Marks the match in a text, and leaves out what is far before it. */
function marked(text: string, wanted: string) {
  const folded = fold(wanted).trim()
  const found = folded === '' ? null : findFolded(text, folded)
  if (!found) return text
  const [start, end] = found
  const from = start > 2 * BEFORE ? start - BEFORE : 0
  return (
    <>
      {from > 0 && '\u2026'}
      {text.slice(from, start)}
      <mark>{text.slice(start, end)}</mark>
      {text.slice(end)}
    </>
  )
}

const resultsText = (count: number): string => `${String(count)} ${count === 1 ? 'result' : 'results'}`

const NOTHING = { results: [], isNamed: false, isComplete: true, problem: null }

/** Searches the workspace on the server, after the last key. */
function useSearch(workspace: Workspace | undefined, text: string) {
  const [state, setState] = useState<{
    readonly for: string
    readonly results: readonly Command[]
    /** True if the text is the id of the first result. */
    readonly isNamed: boolean
    readonly isComplete: boolean
    readonly problem: string | null
  }>({ for: '', ...NOTHING })
  const q = text.trim().slice(0, 200)
  const isWanted = workspace !== undefined && q.length >= MIN_LENGTH
  useEffect(() => {
    if (!isWanted) return
    let isCurrent = true
    const show = (found: Omit<typeof state, 'for'>): void => {
      if (isCurrent) setState({ for: q, ...found })
    }
    const timer = setTimeout(() => {
      server()
        .call('searchWorkspace', { path: { id: workspace.id }, query: { q, limit: MAX_PER_GROUP } })
        .then(
          (found) => {
            show({
              results: resultCommands(found),
              isNamed: found.data[0]?.id === q,
              isComplete: found.complete,
              problem: null,
            })
          },
          (error: unknown) => {
            if (!needsToken(error)) show({ ...NOTHING, problem: errorMessageOf(error) })
          },
        )
    }, DELAY_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [workspace?.id, q])
  if (!isWanted) return { ...NOTHING, isSearching: false }
  // Results of an earlier text stay until the new ones arrive, so that the list does not jump.
  return { ...state, isSearching: state.for !== q }
}
