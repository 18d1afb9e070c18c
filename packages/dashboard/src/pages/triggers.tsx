/** The triggers, which simulate actions by users, devices and authorities, each with a form. */
import type { PageProps } from '../pageProps.ts'
import { useRequest } from '../api.ts'
import { Badge, Empty, ErrorMessage, Gone, Split } from '../parts/common.tsx'
import { Search } from '../parts/filters.tsx'
import { PullTrigger } from '../parts/pullTrigger.tsx'
import { Rows } from '../parts/rows.tsx'
import { openAddress } from '../route.ts'
import { server } from '../server.ts'
import { fold } from '@suite-sim/kit/text/collation'

export function Triggers({ workspace, query }: PageProps) {
  const request = useRequest(async () => (await server().call('listTriggers')).data, [])
  const text = fold(query['text'] ?? '')
  const triggers = (request.value ?? []).filter(({ name, summary }) =>
    fold(`${name} ${summary}`).includes(text),
  )
  const opened = request.value?.find(({ name }) => name === query['open'])
  return (
    <>
      <div class="filters">
        <Search label="Text" name="text" />
      </div>
      <ErrorMessage text={request.problem} />
      <Split
        close={openAddress(undefined)}
        list={
          triggers.length > 0 ? (
            <Rows
              label="Triggers"
              items={triggers}
              keyOf={({ name }) => name}
              addressOf={({ name }) => openAddress(name)}
              opened={query['open']}
              row={({ name, summary }) => (
                <>
                  <code>{name}</code> <span class="title">{summary}</span>
                </>
              )}
            />
          ) : (
            request.value && <Empty>No matching triggers.</Empty>
          )
        }
        opened={
          opened ? (
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
                initialValues={initialValuesIn(query)}
              />
            </>
          ) : (
            query['open'] !== undefined &&
            request.value && (
              <Gone title={`There is no trigger ${query['open']}`}>
                This version of the simulator has other triggers. The list has all of them.
              </Gone>
            )
          )
        }
      />
    </>
  )
}

/** Returns the initial field values in the address: `with.link_id=pl_1`. */
const initialValuesIn = (query: PageProps['query']): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) =>
      name.startsWith('with.') ? [[name.slice('with.'.length), value]] : [],
    ),
  )
