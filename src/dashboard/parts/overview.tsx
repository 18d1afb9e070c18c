/** The workspace: its clock, its key, the base URLs of the interfaces, and its reset. */
import { useState } from 'preact/hooks'
import { INTERFACES } from '../../library/generated/control.ts'
import { useIsConfined } from '../access.ts'
import { useAction, useRequest } from '../api.ts'
import type { PageProps } from '../pageProps.ts'
import { addressOf } from '../route.ts'
import { ROOT, server } from '../server.ts'
import { Copy, Danger, ErrorMessage, Facts, Table } from './common.tsx'
import { NewWorkspace } from './newWorkspace.tsx'
import { resetQuestion, resetWorkspace } from './workspaceActions.ts'
import { WorkspaceClock } from './workspaceClock.tsx'

/** Shows the clock, the key and the base URLs of the interfaces. */
export function Overview({ workspace }: Pick<PageProps, 'workspace'>) {
  const { id, currency, timezone, accountId } = workspace
  const keys = useRequest(async () => (await server().call('listWorkspaceKeys', { path: { id } })).data, [id])
  const { isBusy, problem, run } = useAction()
  const [isFormOpen, setIsFormOpen] = useState(false)
  const isConfined = useIsConfined()
  return (
    <section class="glance" aria-label="Workspace">
      <Facts
        of={[
          ['Clock', <WorkspaceClock workspace={workspace} />],
          [
            'Key',
            keys.value?.[0] ? (
              <span class="copied">
                <code>{keys.value[0].key}</code> <Copy text={keys.value[0].key} what="the key" />
              </span>
            ) : (
              (keys.problem ?? 'None')
            ),
          ],
          ['Workspace', <code>{id}</code>],
          ['Account', accountId],
          ['Settings', `${currency}, ${timezone}`],
        ]}
      />
      <details>
        <summary>Base URLs of the interfaces</summary>
        <Table
          label="Interfaces"
          heads={['Interface', 'Base URL', 'Header for the key', { hidden: 'Copy' }]}
          rows={Object.entries(INTERFACES).map(([name, mounted]) => ({
            key: name,
            cells: [
              name,
              <code>{ROOT + mounted.basePath}</code>,
              <code>{'header' in mounted ? mounted.header : 'Authorization: Bearer'}</code>,
              <Copy text={ROOT + mounted.basePath} what={`the URL of ${name}`} />,
            ],
          }))}
        />
      </details>
      <div class="actions">
        {!isConfined && (
          <button
            type="button"
            class="small outline"
            aria-expanded={isFormOpen}
            onClick={() => {
              setIsFormOpen(!isFormOpen)
            }}
          >
            Add workspace
          </button>
        )}
        <Danger
          isBusy={isBusy}
          question={resetQuestion(workspace)}
          onConfirmed={() => {
            run(() => resetWorkspace(workspace))
          }}
        >
          Reset workspace
        </Danger>
      </div>
      <ErrorMessage text={problem} />
      {isFormOpen && (
        <NewWorkspace
          onCreated={(created) => {
            location.hash = addressOf('now', { workspace: created })
          }}
        />
      )}
    </section>
  )
}
