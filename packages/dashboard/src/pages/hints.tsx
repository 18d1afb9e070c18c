/** All hints of the workspace and of calls without a workspace, grouped: what happened, what to do, and the calls. */
import type { ComponentChildren } from 'preact'
import type { Schema } from '@suite-sim/client/calling'
import { useIsConfined } from '../access.ts'
import { usePoll, useRequest } from '../api.ts'
import { useLive } from '../live.ts'
import type { PageProps } from '../pageProps.ts'
import { Badge, Empty, ErrorMessage, type Tone } from '../parts/common.tsx'
import { Check, Choice, Search } from '../parts/filters.tsx'
import { ExampleCall } from '../parts/exampleCall.tsx'
import { groupBy } from '../parts/groupBy.ts'
import { adviceOn, severityOf, type Severity } from '../parts/hintCodes.ts'
import { to } from '../route.ts'
import { server, shardQueryOf } from '../server.ts'
import { fold } from '@suite-sim/kit/text/collation'

const TONES: Readonly<Record<Severity, Tone>> = { error: 'bad', warning: 'warn', note: 'info' }
const SEVERITIES = Object.keys(TONES) as Severity[]

/** Ms between polls of calls without a workspace, which are not on the timeline. */
const INTERVAL = 5000
const MAX_UNMATCHED = 200
const MAX_LINKS = 8

type Group = Schema<'GroupedHint'>

export function Hints({ workspace, query }: PageProps) {
  const { code, severity } = query
  const isConfined = useIsConfined()
  const isAssumed = query['assumed'] === 'yes'
  const text = fold(query['text'] ?? '')
  const own = useRequest(
    async () =>
      (
        await server().call('listHints', {
          path: { id: workspace.id },
          query: isAssumed ? { assumed: true } : {},
        })
      ).data,
    [workspace.id, isAssumed],
  )
  const unmatched = useRequest(async () => {
    if (isConfined) return []
    const query = { unmatched: true, limit: MAX_UNMATCHED, ...shardQueryOf(workspace.id) } as const
    return groupsOf((await server().call('listUnmatchedRequests', { query })).data)
  }, [workspace.id])
  useLive(['request', 'delivery'], own.reload)
  usePoll(unmatched.reload, INTERVAL)
  const all = [...(own.value ?? []), ...(unmatched.value ?? [])]
  const isVisible = (hint: Group): boolean =>
    (code === undefined || code === hint.code) &&
    (severity === undefined || severity === severityOf(hint.code)) &&
    fold(`${hint.code} ${hint.message}`).includes(text)
  const isLoaded = own.value !== null && unmatched.value !== null
  return (
    <>
      <p class="empty">
        A hint says what a caller may have missed, such as an ignored field or a record that does not exist.{' '}
        <a href="guide/hints.html">All hints explained</a>
      </p>
      <div class="filters">
        <Choice label="Severity" name="severity" options={SEVERITIES} />
        <Choice
          label="Code"
          name="code"
          options={[
            ...new Set([...all.map((hint) => hint.code), ...(code === undefined ? [] : [code])]),
          ].sort()}
        />
        <Search label="Text" name="text" />
        <Check label="Show assumed behavior" name="assumed" />
      </div>
      <ErrorMessage text={own.problem ?? unmatched.problem} />
      {isLoaded && all.length === 0 && (
        <>
          <Empty>No hints yet. This call causes one, because the interface has no parameter colour:</Empty>
          <ExampleCall workspace={workspace} query="colour=red" />
        </>
      )}
      {isLoaded && all.length > 0 && !all.some(isVisible) && <Empty>No matching hints.</Empty>}
      <Section
        title="Calls of this workspace"
        hints={(own.value ?? []).filter(isVisible)}
        links={(hint) => <CallLinks hint={hint} />}
      />
      <Section
        title="Calls that reached no workspace"
        hints={(unmatched.value ?? []).filter(isVisible)}
        links={() => <a href={to('now')}>Show them on the page Now</a>}
      />
    </>
  )
}

interface SectionProps {
  readonly title: string
  readonly hints: readonly Group[]
  readonly links: (hint: Group) => ComponentChildren
}

const Section = ({ title, hints, links }: SectionProps) =>
  hints.length === 0 ? null : (
    <section aria-label={title}>
      <h2>{title}</h2>
      <ul class="plain hints">
        {hints.map((hint) => (
          <li key={hint.code + hint.message}>
            <p>
              <Badge tone={TONES[severityOf(hint.code)]}>{severityOf(hint.code)}</Badge>{' '}
              <code>{hint.code}</code>{' '}
              <strong>{hint.count === 1 ? '1 call' : `${String(hint.count)} calls`}</strong>
            </p>
            <p>
              {hint.message} <span class="advice">{adviceOn(hint.code)}</span>
            </p>
            <p class="calls">{links(hint)}</p>
          </li>
        ))}
      </ul>
    </section>
  )

/** Links to the newest calls with a hint. */
const CallLinks = ({ hint: { requests, count } }: { hint: Group }) => (
  <>
    Latest:{' '}
    {requests.slice(0, MAX_LINKS).map((id) => (
      <span key={id}>
        <a href={to('calls', { open: id })}>{id}</a>{' '}
      </span>
    ))}
    {count > MAX_LINKS && `and ${String(count - Math.min(MAX_LINKS, requests.length))} more`}
  </>
)

/** Groups the hints of calls without a workspace, most frequent first. */
function groupsOf(calls: readonly Schema<'UnmatchedJournalEntry'>[]): Group[] {
  const hints = calls.flatMap(({ id, hints: own }) =>
    own.map(({ code, message }) => ({ code, message, call: id })),
  )
  return groupBy(hints, ({ code, message }) => `${code} ${message}`)
    .map(([, group]) => {
      const [{ code, message }] = group
      return { code, message, count: group.length, requests: group.map(({ call }) => call) }
    })
    .sort((one, other) => other.count - one.count)
}
