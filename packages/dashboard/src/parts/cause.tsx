/** The call, trigger or job that caused a delivery or an e-mail, as a link to its entry in the timeline. */
import { useRequest } from '../api.ts'
import { to } from '../route.ts'
import { server, type TimelineItem, type Workspace } from '../server.ts'

interface CauseProps {
  readonly workspace: Workspace
  readonly kind: 'delivery' | 'email'
  /** The id of the delivery or the e-mail. */
  readonly id: string
}

export function Cause({ workspace, kind, id }: CauseProps) {
  const { value, problem } = useRequest(() => findCause(workspace.id, kind, id), [workspace.id, kind, id])
  if (problem !== null) return <>{problem}</>
  if (value === null) return <span class="empty">loading</span>
  if (typeof value === 'string') return <>{value}</>
  return (
    <a href={to('now', { open: value.id })}>
      {value.kind} {value.title}
    </a>
  )
}

/** Returns the cause, or why it is not known. */
async function findCause(
  workspace: string,
  kind: CauseProps['kind'],
  ref: string,
): Promise<TimelineItem | string> {
  const entry = await findCreation(workspace, kind, ref)
  if (!entry) return 'no longer in the timeline'
  if (entry.causedBy === null) return 'none'
  const number = Number(entry.causedBy.split('_')[1])
  const query = { before: `req_${String(number + 1)}`, limit: 1 }
  const [cause] = (await server().call('getTimeline', { path: { id: workspace }, query })).data
  return cause?.id === entry.causedBy ? cause : 'no longer in the timeline'
}

const PAGE_SIZE = 1000

/** Returns the entry about the creation. The attempts of a delivery have the same ref, and an outcome. */
async function findCreation(
  workspace: string,
  kind: CauseProps['kind'],
  ref: string,
): Promise<TimelineItem | undefined> {
  // The server keeps the last 5,000 entries of these kinds, so that few pages are read.
  for (let before: string | undefined; ;) {
    const query = { kind, limit: PAGE_SIZE, ...(before !== undefined && { before }) }
    const { data } = await server().call('getTimeline', { path: { id: workspace }, query })
    const found = data.find((item) => item.ref === ref && item.outcome === undefined)
    if (found || data.length < PAGE_SIZE) return found
    before = data.at(-1)?.id
  }
}
