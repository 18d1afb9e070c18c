/** The workspace overview and its live timeline. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { useIsConfined } from '../access.ts'
import { useLoading, useRequest } from '../api.ts'
import type { PageProps } from '../pageProps.ts'
import { live, useLive } from '../live.ts'
import { Empty, ErrorMessage, Gone, Split } from '../parts/common.tsx'
import { Choice, Search } from '../parts/filters.tsx'
import { dayOf } from '../parts/dates.ts'
import { ExampleCall } from '../parts/exampleCall.tsx'
import { FirstSteps, useFirstSteps } from '../parts/firstSteps.tsx'
import { Count, GroupFilter, HintMark, linesOf, rowAddress } from '../parts/groups.tsx'
import { Overview } from '../parts/overview.tsx'
import { keyOfRow, rowsOf, type Repeat } from '../parts/repeats.ts'
import { Rows } from '../parts/rows.tsx'
import { EntryDetail, Kind } from '../parts/timelineEntry.tsx'
import { Unmatched } from '../parts/unmatched.tsx'
import { openAddress, to } from '../route.ts'
import { server, needsToken, type TimelineItem } from '../server.ts'
import { fold } from '@suite-sim/kit/text/collation'

const KINDS = ['request', 'trigger', 'job', 'transition', 'event', 'delivery', 'email'] as const

/** The maximum number of entries in the page. */
const MAX_COUNT = 20_000
const PAGE_SIZE = 500
/** A journal has no more calls. */
const MAX_CALLS = 1000

export function Now({ workspace, query }: PageProps) {
  const { items, loadOlder, isWhole, problem } = useTimeline(workspace.id)
  const { kind, open, group } = query
  const isGrouped = query['grouped'] !== 'no'
  const text = fold(query['text'] ?? '')
  const rows = useMemo(() => {
    const visible = items.filter(
      (item) =>
        (kind === undefined || item.kind === kind) && (text === '' || fold(textOf(item)).includes(text)),
    )
    const repeatOf = repeatIn(items, workspace.timezone)
    return rowsOf(visible, { idOf: ({ id }) => id, repeatOf, open: group, isGrouped })
  }, [items, kind, text, group, isGrouped, workspace.timezone])
  const opened = items.find(({ id }) => id === open)
  const isConfined = useIsConfined()
  const missing = useMemo(() => missingOf(items, open), [items, open])
  useEffect(() => {
    if (missing !== undefined && !isWhole) loadOlder()
  }, [missing, items, isWhole])
  const hintCounts = useHintCounts(workspace.id)
  const firstSteps = useFirstSteps(workspace)
  return (
    <>
      <Overview workspace={workspace} />
      {firstSteps.isShown && <FirstSteps workspace={workspace} hide={firstSteps.hide} />}
      {!isConfined && <Unmatched workspace={workspace} isGrouped={isGrouped} />}
      <section aria-label="Timeline">
        <div class="filters">
          <Choice label="Kind" name="kind" options={KINDS} />
          <Search label="Text" name="text" />
          <GroupFilter isGrouped={isGrouped} />
        </div>
        <ErrorMessage text={problem} />
        <Split
          close={openAddress(undefined)}
          list={
            rows.length > 0 ? (
              <Rows
                label="Timeline, newest first"
                items={rows}
                keyOf={({ key }) => key}
                addressOf={(row) => rowAddress(row, group)}
                opened={open && keyOfRow(rows, ({ id }) => id === open)}
                onEnd={isWhole ? undefined : loadOlder}
                isFailed={({ item }) => item.outcome === 'failed'}
                at={({ item }) => item.at}
                linesOf={({ item, items }) => linesOf(items, open === undefined ? item.reason : undefined)}
                row={(row) => (
                  <>
                    {row.isMember && <span class="member" />}
                    <Kind item={row.item} />{' '}
                    <span class="title">
                      {/* After the text, so that a mark that appears later shifts nothing. */}
                      {titleOf(row.items)}{' '}
                      <HintMark count={Math.max(...row.items.map(({ id }) => hintCounts.get(id) ?? 0))} />
                    </span>{' '}
                    {/* An open entry is beside the list, which is narrow then. */}
                    {open === undefined && <span class="reason">{row.item.reason}</span>}{' '}
                    <Count row={row} at={({ at }) => at} open={group} />
                  </>
                )}
              />
            ) : items.length > 0 ? (
              <Empty>No matching entries.</Empty>
            ) : (
              isWhole && (
                <>
                  <Empty>No entries yet. Call an interface or pull a trigger.</Empty>
                  {/* The first steps have it, too. */}
                  {firstSteps.isShown === false && <ExampleCall workspace={workspace} />}
                </>
              )
            )
          }
          opened={
            opened ? (
              <EntryDetail
                item={opened}
                items={items}
                isCauseLost={missing !== undefined && isWhole}
                timeZone={workspace.timezone}
              />
            ) : (
              open &&
              isWhole && (
                <Gone title="This entry is no longer in the timeline">
                  The timeline keeps the newest 1,000 calls and 5,000 other entries of a workspace. A cleared
                  journal, a reset and a restored snapshot delete them, too. The{' '}
                  <a href={to('changes')}>changes</a> of records remain.
                </Gone>
              )
            )
          }
        />
      </section>
    </>
  )
}

/** Returns the number of hints of each call that has some, by its id. */
function useHintCounts(workspace: string): ReadonlyMap<string, number> {
  const { value, reload } = useRequest(() => loadHintCounts(workspace), [workspace])
  useLive(['request'], reload)
  return value ?? NO_COUNTS
}

const NO_COUNTS: ReadonlyMap<string, number> = new Map()

async function loadHintCounts(workspace: string): Promise<ReadonlyMap<string, number>> {
  const path = { id: workspace }
  const { data: hints } = await server().call('listHints', { path })
  // A hint names its newest calls only. The calls themselves are much larger, so they are loaded only for the others.
  if (hints.some(({ count, requests }) => count > requests.length)) {
    const { data } = await server().call('listRequests', { path, query: { limit: MAX_CALLS } })
    return new Map(data.map(({ id, hintCount }) => [id, hintCount]))
  }
  const counts = new Map<string, number>()
  for (const id of hints.flatMap(({ requests }) => requests)) counts.set(id, (counts.get(id) ?? 0) + 1)
  return counts
}

/** Returns the id of the opened entry, or of the first of its causes, that is not loaded; undefined if all are. */
function missingOf(items: readonly TimelineItem[], open: string | undefined): string | undefined {
  const causeOf = new Map(open === undefined ? [] : items.map(({ id, causedBy }) => [id, causedBy]))
  // Causes are older than their effects, so that the chain ends.
  let id: string | null | undefined = open
  while (id !== null && id !== undefined && causeOf.has(id)) id = causeOf.get(id)
  return id ?? undefined
}

/** An entry with the page of the list that contained it. Entries of the first page and new ones have 0. */
type Entry = TimelineItem & { readonly page: number }

const textOf = ({ title, query, reason }: TimelineItem): string =>
  [title, query, reason].filter((part) => part !== undefined).join(' ')

/**
 * Returns the function that finds repeats. Groups end at days. Those of entries that succeeded also end at pages, so that
 * older entries change none.
 */
function repeatIn(items: readonly Entry[], timeZone: string): (item: Entry) => Repeat {
  const origins = new Map<string, string>()
  for (const { kind, id, title } of items) {
    const [, origin] = / queued for (\S+)$/.exec(kind === 'delivery' ? title : '') ?? []
    if (origin !== undefined) origins.set(id, origin)
  }
  return (item) => {
    const { kind, title, outcome = '', page, at, causedBy, reason = '' } = item
    const isFailed = outcome === 'failed' || outcome === 'refused'
    const origin = kind === 'delivery' ? (origins.get(causedBy ?? '') ?? '') : ''
    const what = kind === 'delivery' && isFailed ? summaryOf(item) : title
    const isRead = kind === 'request' && (title.startsWith('GET ') || title.startsWith('HEAD '))
    return {
      key: [isFailed ? '' : page, dayOf(at, timeZone), kind, outcome, origin, reason, what].join(' '),
      reach: isFailed ? 'any' : kind === 'delivery' || kind === 'job' || isRead ? 'near' : 'next',
    }
  }
}

/** Returns how an attempt ended: "connection refused" of "pos sale.completed connection refused". */
const summaryOf = ({ title }: TimelineItem): string => title.split(' ').slice(2).join(' ')

/** Returns the title of a row; of a group, what its members have in common. */
function titleOf(items: readonly TimelineItem[]): string {
  const [newest] = items
  if (!newest) return ''
  const titles = new Set(items.map(({ title }) => title))
  if (titles.size > 1) return `${String(titles.size)} events: ${summaryOf(newest)}`
  const queries = new Set(items.map(({ query = '' }) => query))
  return `${newest.title} ${queries.size > 1 ? '?\u2026' : (newest.query ?? '')}`
}

/** Loads the timeline, newest first: older entries in pages, and new ones from the stream. */
function useTimeline(workspace: string) {
  const [items, setItems] = useState<readonly Entry[]>([])
  const [isWhole, setIsWhole] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  useLoading(items.length === 0 && !isWhole && problem === null)
  const isLoading = useRef(false)
  const pageCount = useRef(0)
  const loadOlder = (): void => {
    if (isLoading.current) return
    isLoading.current = true
    const before = items.at(-1)?.id
    server()
      .call('getTimeline', {
        path: { id: workspace },
        query: { limit: PAGE_SIZE, ...(before !== undefined && { before }) },
      })
      .finally(() => {
        // Before the state changes, because the next page may be loaded then.
        isLoading.current = false
      })
      .then(({ data }) => {
        const page = pageCount.current++
        setItems((known) => [...known, ...withoutKnown(data, known).map((item) => ({ ...item, page }))])
        setIsWhole(data.length < PAGE_SIZE)
      })
      .catch((error: unknown) => {
        if (!needsToken(error)) setProblem((error as Error).message)
      })
  }
  useEffect(() => {
    let received: TimelineItem[] = []
    let frame = 0
    const stop = live.listen((item) => {
      received.push(item)
      // Renders once per frame, no matter how many entries arrive.
      frame ||= requestAnimationFrame(() => {
        frame = 0
        const newest = received.reverse()
        received = []
        setItems((known) =>
          [...withoutKnown(newest, known).map((item) => ({ ...item, page: 0 })), ...known].slice(
            0,
            MAX_COUNT,
          ),
        )
      })
    })
    loadOlder()
    return () => {
      stop()
      cancelAnimationFrame(frame)
    }
  }, [])
  return { items, loadOlder, isWhole, problem }
}

function withoutKnown(items: readonly TimelineItem[], known: readonly TimelineItem[]): TimelineItem[] {
  const ids = new Set(
    known
      .slice(0, PAGE_SIZE)
      .concat(known.slice(-PAGE_SIZE))
      .map(({ id }) => id),
  )
  return items.filter(({ id }) => !ids.has(id))
}
