/** The navigation: the workspace, the pages, and the search. A column beside the page; on narrow screens, a bar above it. */
import { useEffect, useState } from 'preact/hooks'
import type { Schema } from '@suite-sim/client/calling'
import { usePoll, useRequest } from '../api.ts'
import { useIsLive, useLive } from '../live.ts'
import { ActiveFaults } from '../parts/faults.tsx'
import { RunningRecording } from '../parts/recordings.tsx'
import { addressOf } from '../route.ts'
import { docsPage, server, titleOf, type Workspace } from '../server.ts'
import { SimulatorError } from '@suite-sim/client/errors'
import { PALETTE_KEY } from './shortcuts.ts'

export interface PageTitle {
  readonly name: string
  readonly title: string
}

interface HeadProps {
  readonly page: string
  readonly pages: readonly PageTitle[]
  readonly workspaces: readonly Workspace[]
  readonly workspace: Workspace | undefined
  /** The workspace that links keep. */
  readonly linked: string | undefined
  /** Called when the workspace was deleted. */
  readonly onGone: () => void
  readonly openPalette: () => void
  readonly openHelp: () => void
}

export function Head({
  page,
  pages,
  workspaces,
  workspace,
  linked,
  onGone,
  openPalette,
  openHelp,
}: HeadProps) {
  const counts = useCounts(workspace?.id, onGone)
  const isLive = useIsLive()
  /** Whether a narrow screen shows the list of pages. */
  const [isMenuOpen, setIsMenuOpen] = useState(false)
  useEffect(() => {
    setIsMenuOpen(false)
  }, [page, workspace?.id])
  return (
    <header class="top">
      <a class="brand" href={addressOf('now', { workspace: linked })}>
        Suite Simulator
      </a>
      <button
        type="button"
        class="menu outline"
        aria-expanded={isMenuOpen}
        aria-controls="pages"
        onClick={() => {
          setIsMenuOpen(!isMenuOpen)
        }}
      >
        Menu
      </button>
      <label class="workspace">
        <span class="visually-hidden">Workspace</span>
        <select
          value={workspace?.id ?? ''}
          onChange={({ currentTarget }) => {
            location.hash = addressOf(page, { workspace: currentTarget.value })
          }}
        >
          {workspace === undefined && <option value="">Choose a workspace</option>}
          {workspaces.map((each) => (
            <option key={each.id} value={each.id}>
              {titleOf(each)}
            </option>
          ))}
        </select>
      </label>
      <div class="finds">
        <button type="button" class="find outline" aria-haspopup="dialog" onClick={openPalette}>
          <span class="words">Search</span> <kbd aria-hidden="true">{PALETTE_KEY}</kbd>
        </button>
        <button
          type="button"
          class="question outline"
          aria-haspopup="dialog"
          aria-label="Keyboard shortcuts"
          title="Keyboard shortcuts (?)"
          onClick={openHelp}
        >
          ?
        </button>
      </div>
      {workspace && <RunningRecording key={workspace.id} workspace={workspace} />}
      <nav aria-label="Pages" id="pages" class={isMenuOpen ? 'open' : undefined}>
        <ul>
          {pages.map(({ name, title }) => (
            <li key={name}>
              <a
                href={addressOf(name, { workspace: linked })}
                aria-current={name === page ? 'page' : undefined}
                aria-describedby={Object.hasOwn(COUNTED, name) ? `count-${name}` : undefined}
              >
                {title}
                <Count counts={counts} page={name} />
              </a>
            </li>
          ))}
          <li>
            <a href="guide/">Guide</a>
          </li>
          <li>
            <a href={docsPage(linked)}>Docs</a>
          </li>
        </ul>
      </nav>
      <div class="states">
        {workspace && <ActiveFaults address={addressOf('calls', { workspace: workspace.id })} />}
        <span class={isLive ? 'live on' : 'live'} title="Whether new entries appear as they occur">
          {isLive ? 'live' : 'not live'}
        </span>
      </div>
    </header>
  )
}

/** Milliseconds between two counts in a quiet workspace: clearing the journal is not in the timeline. */
const QUIET_INTERVAL = 10_000

function useCounts(workspace: string | undefined, onGone: () => void): Schema<'Counts'> | null {
  const { value, reload } = useRequest(async () => {
    if (workspace === undefined) return null
    try {
      return await server().call('getCounts', { path: { id: workspace } })
    } catch (error) {
      if (error instanceof SimulatorError && error.status === 404) onGone()
      throw error
    }
  }, [workspace])
  usePoll(useLive(undefined, reload), QUIET_INTERVAL)
  return value
}

/** The counts beside the pages, with their words for screen readers. */
const COUNTED: Readonly<Record<string, readonly [name: keyof Schema<'Counts'>, words: string]>> = {
  calls: ['calls', 'calls'],
  hints: ['hints', 'hints'],
  webhooks: ['deliveries', 'deliveries'],
  emails: ['emails', 'e-mails'],
  records: ['records', 'records'],
}

/** The server counts up to 1,000. */
const countText = (count: number): string => (count > 999 ? '999+' : String(count))

function Count({ counts, page }: { counts: Schema<'Counts'> | null; page: string }) {
  const [name, words] = (Object.hasOwn(COUNTED, page) ? COUNTED[page] : undefined) ?? []
  if (name === undefined) return null
  const failed = page === 'webhooks' ? (counts?.deadDeliveries ?? 0) : 0
  // Only the description is for screen readers, so that the name of the link stays the title of the page.
  return (
    <>
      <span class="counts" aria-hidden="true">
        {failed > 0 && (
          <span class="count failed" title={`${countText(failed)} failed`}>
            {countText(failed)}
          </span>
        )}
        <span class="count">{counts && countText(counts[name])}</span>
      </span>
      <span id={`count-${page}`} hidden>
        {counts &&
          `${countText(counts[name])} ${String(words)}${failed > 0 ? `, ${countText(failed)} failed` : ''}`}
      </span>
    </>
  )
}
