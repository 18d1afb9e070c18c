/** The coverage of operations, moves and events. */
import { useIsConfined } from '../access.ts'
import { useRequest } from '../api.ts'
import type { PageProps } from '../pageProps.ts'
import { useLive } from '../live.ts'
import { Badge, Empty, ErrorMessage, Table, toneOfStatus } from '../parts/common.tsx'
import { Choice } from '../parts/filters.tsx'
import { moveKey } from '../parts/diagram.tsx'
import { Reach } from '../parts/reach.tsx'
import { server, shardQueryOf } from '../server.ts'
import type { Schema } from '@suite-sim/client/calling'

const SCOPES = ['server'] as const
const SEEN = ['covered', 'not covered'] as const

export function Coverage({ workspace, query }: PageProps) {
  const { of, seen, interface: name } = query
  const isConfined = useIsConfined()
  const request = useRequest(
    async () =>
      of === 'server' && !isConfined
        ? await server().call('getServerCoverage', { query: shardQueryOf(workspace.id) })
        : await server().call('getCoverage', { path: { id: workspace.id } }),
    [of, workspace.id],
  )
  const machines = useRequest(async () => (await server().call('listMachines')).data, [])
  useLive(['request', 'transition', 'event'], request.reload)
  const coverage = request.value
  if (!coverage) return <ErrorMessage text={request.problem} />
  const interfaces = [...new Set(coverage.operations.map((each) => each.interface))]
  const matchesFilters = (of: string, count: number): boolean =>
    (name === undefined || of === name) && (seen === undefined || (seen === 'covered') === count > 0)
  const operations = coverage.operations.filter((each) => matchesFilters(each.interface, each.calls))
  const counts = countsOf(coverage)
  const shownMachines = (machines.value ?? []).filter((machine) => {
    const moveCounts = counts.get(machine.name)
    const met = moveCounts ? [...moveCounts.values()].some((count) => count > 0) : false
    return matchesFilters(machine.name.split('.')[0] ?? '', met ? 1 : 0)
  })
  return (
    <>
      <div class="bars">
        <Bar title="Operations" {...coverage.summary.operations} />
        <Bar title="Moves" {...coverage.summary.transitions} />
        <Bar title="Events" {...coverage.summary.events} />
      </div>
      <div class="filters">
        {!isConfined && <Choice label="Scope" name="of" options={SCOPES} all="workspace" />}
        <Choice label="Interface" name="interface" options={interfaces} />
        <Choice label="Show" name="seen" options={SEEN} all="Both" />
      </div>
      <section aria-labelledby="moves">
        <h2 id="moves">State machines</h2>
        <p>Moves that were never made have dashed lines.</p>
        {shownMachines.length === 0 && <Empty>No matching state machines.</Empty>}
        {shownMachines.map((machine) => {
          const moveCounts = counts.get(machine.name)
          return (
            <details key={machine.name}>
              <summary>
                {machine.title} <code>{machine.name}</code> <MoveCoverage counts={moveCounts} />
              </summary>
              <Reach workspace={workspace.id} machine={machine} {...(moveCounts && { counts: moveCounts })} />
            </details>
          )
        })}
      </section>
      <section aria-labelledby="operations">
        <h2 id="operations">Operations</h2>
        {operations.length === 0 && <Empty>No matching operations.</Empty>}
        {operations.length > 0 && (
          <Table
            label="Operations"
            isDense
            heads={['Interface', 'Operation', 'Calls', 'Statuses']}
            rows={operations.map((each) => ({
              key: each.interface + each.operation,
              class: each.calls === 0 ? 'unmade' : undefined,
              cells: [
                each.interface,
                each.operation,
                each.calls,
                Object.entries(each.statuses)
                  .filter(([, count]) => count > 0)
                  .map(([status, count]) => (
                    <Badge key={status} tone={toneOfStatus(Number(status))}>
                      {status} {'\u00D7'}
                      {count}
                    </Badge>
                  )),
              ],
            }))}
          />
        )}
      </section>
      <section aria-labelledby="events">
        <h2 id="events">Events</h2>
        <ul class="sections">
          {coverage.events
            .filter((each) => matchesFilters(each.interface, each.count))
            .map((each) => (
              <li key={each.interface + each.event} class={each.count === 0 ? 'unmade' : ''}>
                {each.event} <small>{each.interface}</small>{' '}
                <Badge tone={each.count > 0 ? 'good' : 'plain'}>{each.count}</Badge>
              </li>
            ))}
        </ul>
      </section>
    </>
  )
}

type Counts = ReadonlyMap<string, number>

/** Returns how often each move was made, by state machine. */
function countsOf({ transitions }: Schema<'Coverage'>): ReadonlyMap<string, Counts> {
  const counts = new Map<string, Map<string, number>>()
  for (const { machine, move, from, to, count } of transitions) {
    const of = counts.get(machine) ?? new Map<string, number>()
    counts.set(machine, of.set(moveKey(move, from, to), count))
  }
  return counts
}

function MoveCoverage({ counts }: { counts: Counts | undefined }) {
  if (!counts) return null
  const all = [...counts.values()]
  const met = all.filter((count) => count > 0).length
  return (
    <Badge tone={met === all.length ? 'good' : met > 0 ? 'warn' : 'plain'}>
      {met} of {all.length} moves
    </Badge>
  )
}

const Bar = ({ title, met, of }: { title: string; met: number; of: number }) => (
  <div>
    <span id={`bar-${title}`}>
      {title}: {met} of {of}
    </span>
    <progress aria-labelledby={`bar-${title}`} value={met} max={Math.max(1, of)} />
  </div>
)
