/** What changed in the records since a snapshot, with the calls, triggers and jobs that caused it. */
import { useState } from 'preact/hooks'
import type { Schema } from '@suite-sim/client/calling'
import { useAction, usePoll, useRequest } from '../api.ts'
import type { PageProps } from '../pageProps.ts'
import { ChangeList, sinceText, START, WATCHED } from '../parts/changeList.tsx'
import { Copy, Empty, ErrorMessage } from '../parts/common.tsx'
import { formatDate, SHORT_DAY, TIME } from '../parts/dates.ts'
import { Check } from '../parts/filters.tsx'
import { groupBy } from '../parts/groupBy.ts'
import { filter } from '../route.ts'
import { server, type Workspace } from '../server.ts'

/** Milliseconds between polls: saving and deleting a snapshot is not in the timeline. */
const INTERVAL_MS = 10_000
/** The maximum number of records in the copied text. */
const MAX_COPIED = 1000

export function Changes({ workspace, query }: PageProps) {
  const from = query['from'] ?? START
  const { section } = query
  const path = { id: workspace.id }
  const snapshots = useRequest(
    async () => (await server().call('listSnapshots', { path })).data,
    [workspace.id],
  )
  usePoll(snapshots.reload, INTERVAL_MS)
  const [refreshes, setRefreshes] = useState(0)
  const refresh = (): void => {
    snapshots.reload()
    setRefreshes(refreshes + 1)
  }
  const watching = useAction()
  const watch = (): void => {
    watching.run(async () => {
      const known = (await server().call('listSnapshots', { path })).data
      if (known.some(({ name }) => name === WATCHED)) {
        await server().call('deleteSnapshot', { path: { ...path, name: WATCHED } })
      }
      await server().call('saveSnapshot', { path, body: { name: WATCHED } })
      filter({ from: WATCHED })
      refresh()
    })
  }
  const copyText = async (): Promise<string> => {
    const filters = { from, ...(section !== undefined && { section }) }
    const response = await server().send('getDiff', {
      path,
      query: { ...filters, limit: MAX_COPIED, format: 'text' },
    })
    return response.text()
  }
  const isGone = from !== START && snapshots.value?.every(({ name }) => name !== from) === true
  return (
    <>
      <div class="filters">
        <label class="filter">
          <span>Since</span>
          <select
            value={from}
            onChange={({ currentTarget }) => {
              filter({ from: currentTarget.value })
            }}
          >
            <option value={START}>{sinceText(START)}</option>
            {(snapshots.value ?? []).map(({ name, createdAt }) => (
              <option key={name} value={name}>
                {sinceText(name)},{' '}
                {formatDate(createdAt, workspace.timezone, { ...SHORT_DAY, ...TIME, second: undefined })}
              </option>
            ))}
            {from !== START && (isGone || !snapshots.value) && (
              <option value={from}>
                {sinceText(from)}
                {isGone && ' (deleted)'}
              </option>
            )}
          </select>
        </label>
        <SectionFilter workspace={workspace} section={section} />
        <Check label="New ids and times" name="volatile" />
        <div class="actions">
          <button
            type="button"
            class="small"
            aria-busy={watching.isBusy}
            title={`Saves the snapshot ${WATCHED}`}
            onClick={watch}
          >
            Watch from now
          </button>
          <button type="button" class="small outline" onClick={refresh}>
            Refresh
          </button>
          <Copy text={copyText} label="Copy as text" />
        </div>
      </div>
      <ErrorMessage text={watching.problem ?? snapshots.problem} />
      {isGone && (
        <Empty>This snapshot was deleted. Choose another one under Since, or watch from now on.</Empty>
      )}
      <ChangeList
        key={`${from} ${section ?? ''}`}
        workspace={workspace}
        from={from}
        section={section}
        refreshes={refreshes}
        hasVolatile={query['volatile'] === 'yes'}
      />
    </>
  )
}

/** The sections that are compared, also of records that are only parts of others, and the interfaces as a whole. */
function SectionFilter({ workspace, section }: { workspace: Workspace; section: string | undefined }) {
  const { value } = useRequest(
    async () =>
      (await server().call('listRecordSections', { path: { id: workspace.id } })).data.filter(
        // Counters have no changes of their own.
        (each) => !each.section.endsWith('.counters'),
      ),
    [workspace.id],
  )
  const groups = groupBy(value ?? [], ({ section: name }: Schema<'RecordSection'>) => interfaceOf(name))
  return (
    <label class="filter">
      <span>Section</span>
      <select
        value={section ?? ''}
        onChange={({ currentTarget }) => {
          filter({ section: currentTarget.value })
        }}
      >
        <option value="">All</option>
        {section !== undefined && !value && <option value={section}>{section}</option>}
        {groups.map(([name, sections]) => (
          <optgroup key={name} label={name}>
            <option value={name}>all of {name}</option>
            {sections.map((each) => (
              <option key={each.section} value={each.section}>
                {each.section}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
    </label>
  )
}

const interfaceOf = (section: string): string => section.split('.', 1).join('')
