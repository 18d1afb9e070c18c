/** What people, devices and authorities outside the interfaces do, each with a form of what it takes. */
import type { PageProps } from '../pageProps.ts'
import { useAsked } from '../api.ts'
import { Badge, Empty, Problem, Search, Split } from '../parts/common.tsx'
import { PullTrigger } from '../parts/pullTrigger.tsx'
import { Rows } from '../parts/rows.tsx'
import { filter, opening } from '../route.ts'
import { server } from '../server.ts'

export function Triggers({ workspace, query }: PageProps) {
  const asked = useAsked(async () => (await server().call('listTriggers')).data, [])
  const words = (query['text'] ?? '').toLowerCase()
  const triggers = (asked.value ?? []).filter(({ name, summary }) =>
    `${name} ${summary}`.toLowerCase().includes(words),
  )
  const opened = asked.value?.find(({ name }) => name === query['open'])
  return (
    <>
      <div class="filters">
        <Search
          label="Text"
          value={query['text']}
          onChange={(text) => {
            filter({ text })
          }}
        />
      </div>
      <Problem words={asked.problem} />
      <Split
        close={opening(undefined)}
        list={
          triggers.length > 0 ? (
            <Rows
              label="Triggers"
              items={triggers}
              keyOf={({ name }) => name}
              addressOf={({ name }) => opening(name)}
              opened={query['open']}
              row={({ name, summary }) => (
                <>
                  <code>{name}</code> <span class="title">{summary}</span>
                </>
              )}
            />
          ) : (
            asked.value && <Empty>No trigger matches.</Empty>
          )
        }
        opened={
          opened && (
            <>
              <h2>{opened.name}</h2>
              <p>{opened.summary}</p>
              {opened.fidelity.why !== undefined && (
                <p>
                  <Badge tone="warn">{opened.fidelity.status}</Badge> {opened.fidelity.why}
                </p>
              )}
              <PullTrigger
                key={opened.name}
                workspace={workspace.id}
                name={opened.name}
                schema={opened.body}
                given={givenIn(query)}
              />
            </>
          )
        }
      />
    </>
  )
}

/** Fields that the address brings along: `with.link_id=pl_1`. */
const givenIn = (query: PageProps['query']): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) =>
      name.startsWith('with.') ? [[name.slice('with.'.length), value]] : [],
    ),
  )
