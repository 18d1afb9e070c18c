/** The navigation: the workspace, the pages, and the search. A column beside the page; on narrow screens, a bar above it. */
import { useEffect, useState } from 'preact/hooks'
import { useIsLive } from '../live.ts'
import { ActiveFaults } from '../parts/faults.tsx'
import { addressOf } from '../route.ts'
import type { Workspace } from '../server.ts'

export interface PageTitle {
  readonly name: string
  readonly title: string
}

interface HeadProps {
  readonly page: string
  readonly pages: readonly PageTitle[]
  readonly workspaces: readonly Workspace[]
  readonly workspace: Workspace | undefined
}

export function Head({ page, pages, workspaces, workspace }: HeadProps) {
  const isLive = useIsLive()
  /** Whether a narrow screen shows the list of pages. */
  const [isMenuOpen, setIsMenuOpen] = useState(false)
  useEffect(() => {
    setIsMenuOpen(false)
  }, [page, workspace?.id])
  return (
    <header class="top">
      <a class="brand" href={addressOf('now', { workspace: workspace?.id })}>
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
          {workspaces.map(({ id, name }) => (
            <option key={id} value={id}>
              {name === id ? id : `${name} (${id})`}
            </option>
          ))}
        </select>
      </label>
      <nav aria-label="Pages" id="pages" class={isMenuOpen ? 'open' : undefined}>
        <ul>
          {pages.map(({ name, title }) => (
            <li key={name}>
              <a
                href={addressOf(name, { workspace: workspace?.id })}
                aria-current={name === page ? 'page' : undefined}
              >
                {title}
              </a>
            </li>
          ))}
          <li>
            <a href="docs">Docs</a>
          </li>
        </ul>
      </nav>
      <div class="states">
        {workspace && (
          <ActiveFaults
            key={workspace.id}
            workspace={workspace}
            address={addressOf('calls', { workspace: workspace.id })}
          />
        )}
        <span class={isLive ? 'live on' : 'live'} title="Whether new entries appear as they occur">
          {isLive ? 'live' : 'not live'}
        </span>
      </div>
    </header>
  )
}
