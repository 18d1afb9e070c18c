/** The workspace: its clock, its key, the base URLs of the interfaces, and its reset. */
import { useState } from 'preact/hooks'
import type { Schema } from '@suite-sim/client/calling'
import { INTERFACES } from '@suite-sim/client/generated/control'
import { useIsConfined } from '../access.ts'
import { useAction, useRequest } from '../api.ts'
import { useLive } from '../live.ts'
import type { PageProps } from '../pageProps.ts'
import { ROOT, server, type Workspace } from '../server.ts'
import { FormButton } from './formButton.tsx'
import { sizeText } from './attachments.tsx'
import { Copy, Danger, ErrorMessage, Facts, Table } from './common.tsx'
import { NewWorkspace } from './newWorkspace.tsx'
import { resetQuestion, resetWorkspace } from './workspaceActions.ts'
import { WorkspaceClock } from './workspaceClock.tsx'

/** Shows the clock, the key and the base URLs of the interfaces. */
export function Overview({ workspace }: Pick<PageProps, 'workspace'>) {
  const { id, currency, timezone, accountId, labels, ttl } = workspace
  const keys = useRequest(async () => (await server().call('listWorkspaceKeys', { path: { id } })).data, [id])
  const usage = useRequest(async () => (await server().call('getWorkspace', { path: { id } })).usage, [id])
  useLive(['request', 'trigger', 'job'], usage.reload)
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
          ...(Object.keys(labels).length === 0 ? [] : [['Labels', labelsText(labels)] as const]),
          ...(ttl === null ? [] : [['Deleted after', `${ttl} without calls`] as const]),
          ['Usage', usage.value ? usageText(usage.value) : usage.problem],
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
          <FormButton isOpen={isFormOpen} setIsOpen={setIsFormOpen}>
            Add workspace
          </FormButton>
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
      {isFormOpen && <NewWorkspace />}
    </section>
  )
}

const labelsText = (labels: Workspace['labels']): string =>
  Object.entries(labels)
    .map(([name, value]) => `${name}:${value}`)
    .join(', ')

const usageText = ({ bytes, maxBytes, records }: Schema<'WorkspaceWithUsage'>['usage']): string =>
  `${sizeText(bytes)} of ${sizeText(maxBytes)}, ${records.toLocaleString('en-US')} ${records === 1 ? 'record' : 'records'}`
