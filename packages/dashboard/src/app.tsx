/** The whole page: navigation, selected workspace, and the token form if the server requires a token. */
import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { ConfinedProvider, loadWorkspaces } from './access.ts'
import { useIsLoading, usePoll, useRequest } from './api.ts'
import { live } from './live.ts'
import { Calls } from './pages/calls.tsx'
import { Changes } from './pages/changes.tsx'
import { ClockPage } from './pages/clock.tsx'
import { Coverage } from './pages/coverage.tsx'
import { Emails } from './pages/emails.tsx'
import { Hints } from './pages/hints.tsx'
import { Inbox } from './pages/inbox.tsx'
import { Now } from './pages/now.tsx'
import { Recordings } from './pages/recordings.tsx'
import { Records } from './pages/records.tsx'
import { Triggers } from './pages/triggers.tsx'
import { Webhooks } from './pages/webhooks.tsx'
import { ErrorMessage } from './parts/common.tsx'
import { FaultsProvider } from './parts/faults.tsx'
import { RecordingsProvider } from './parts/recordings.tsx'
import { TimesProvider } from './parts/times.tsx'
import { TokenForm } from './parts/tokenForm.tsx'
import type { PageProps } from './pageProps.ts'
import { addressOf, useRoute } from './route.ts'
import { Shell } from './shell/shell.tsx'
import { onTokenNeeded, server, setToken, titleOf, type Workspace } from './server.ts'

const PAGES: Readonly<Record<string, { readonly title: string; readonly page: ComponentType<PageProps> }>> = {
  now: { title: 'Now', page: Now },
  calls: { title: 'Calls', page: Calls },
  hints: { title: 'Hints', page: Hints },
  webhooks: { title: 'Webhooks', page: Webhooks },
  inbox: { title: 'Inbox', page: Inbox },
  records: { title: 'Records', page: Records },
  changes: { title: 'Changes', page: Changes },
  recordings: { title: 'Recordings', page: Recordings },
  triggers: { title: 'Triggers', page: Triggers },
  clock: { title: 'Clock', page: ClockPage },
  emails: { title: 'E-mails', page: Emails },
  coverage: { title: 'Coverage', page: Coverage },
}

const START = { title: 'Now', page: Now }
const TITLES = Object.entries(PAGES).map(([name, { title }]) => ({ name, title }))

export function App() {
  /** Why the server refused the token; empty before the first one. null while it needs none. */
  const [refusal, setRefusal] = useState<string | null>(null)
  /** The key of the content. A new token renders it again, so that all data reload. */
  const [generation, setGeneration] = useState(0)
  useEffect(() => onTokenNeeded(setRefusal), [])
  if (refusal !== null) {
    return (
      <TokenForm
        refusal={refusal}
        enter={(token) => {
          setToken(token)
          setRefusal(null)
          setGeneration(generation + 1)
          live.restart()
        }}
      />
    )
  }
  return <Content key={generation} />
}

/** Milliseconds between two attempts to list the workspaces that are missing. */
const RETRY_MS = 3000

function Content() {
  const { page: name, query } = useRoute()
  const { value: opened, problem, reload } = useRequest(loadWorkspaces, [query['workspace']])
  const workspaces = opened?.workspaces
  const missing = opened?.missing ?? []
  usePoll(() => {
    if (problem !== null || missing.length > 0) reload()
  }, RETRY_MS)
  const known = workspaces ?? []
  const selected = query['workspace'] ?? 'demo'
  const workspace =
    known.find(({ id }) => id === selected) ?? (query['workspace'] === undefined ? known[0] : undefined)
  const { title, page: Page } = (Object.hasOwn(PAGES, name) ? PAGES[name] : undefined) ?? START
  useEffect(() => {
    document.title = `${title} \u00B7 Suite Simulator`
  }, [title])
  useEffect(() => {
    live.follow(workspace?.id ?? '')
  }, [workspace?.id])
  return (
    <>
      <a class="skip" href="#main" onClick={skip}>
        Skip to main content
      </a>
      <FaultsProvider workspace={workspace}>
        <RecordingsProvider workspace={workspace}>
          <div class="frame">
            <Shell
              page={name}
              pages={TITLES}
              workspaces={known}
              workspace={workspace}
              linked={workspaces ? workspace?.id : query['workspace']}
              onGone={reload}
            />
            <main id="main" tabIndex={-1} class={Object.hasOwn(PAGES, name) ? `page-${name}` : undefined}>
              <Loading />
              <h1>{title}</h1>
              <ErrorMessage text={problem} />
              {missing.map(({ shard }) => (
                <ErrorMessage
                  key={shard}
                  text={`Shard ${shard} does not answer. Its workspaces are missing.`}
                />
              ))}
              {workspaces && !workspace && !missing.some(({ shard }) => selected.startsWith(`${shard}-`)) && (
                <NoWorkspace id={query['workspace']} known={known} />
              )}
              {workspace && (
                <TimesProvider workspace={workspace}>
                  <ConfinedProvider value={opened?.isConfined === true}>
                    <Page key={`${name} ${workspace.id}`} workspace={workspace} query={query} />
                  </ConfinedProvider>
                </TimesProvider>
              )}
              {workspaces && known.length === 0 && <FirstWorkspace onCreated={reload} />}
            </main>
          </div>
        </RecordingsProvider>
      </FaultsProvider>
    </>
  )
}

/** Appears only after a moment (style.css), so that quick pages do not flicker. */
const Loading = () => (
  <div class="loading" role="status">
    {useIsLoading() && <span>Loading{'\u2026'}</span>}
  </div>
)

/** Moves the focus without changing the hash, because the hash contains the route. */
function skip(event: Event): void {
  event.preventDefault()
  document.getElementById('main')?.focus()
}

const NoWorkspace = ({ id, known }: { id: string | undefined; known: readonly Workspace[] }) =>
  id === undefined ? null : (
    <div>
      <p>There is no workspace {id}.</p>
      <ul>
        {known.map((each) => (
          <li key={each.id}>
            <a href={addressOf('now', { workspace: each.id })}>{titleOf(each)}</a>
          </li>
        ))}
      </ul>
    </div>
  )

function FirstWorkspace({ onCreated }: { onCreated: () => void }) {
  return (
    <p>
      No workspaces yet.{' '}
      <button
        type="button"
        onClick={() => {
          void server()
            .call('createWorkspace', { body: { name: 'First', fixtures: 'demo' } })
            .then(onCreated)
        }}
      >
        Create a workspace with demo data
      </button>
    </p>
  )
}
