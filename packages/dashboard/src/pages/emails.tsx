/** The e-mails that the suite would have sent. */
import { useState } from 'preact/hooks'
import type { Schema } from '@suite-sim/client/calling'
import { useRequest, useAction } from '../api.ts'
import type { PageProps } from '../pageProps.ts'
import { useLive } from '../live.ts'
import { Attachments } from '../parts/attachments.tsx'
import { Cause } from '../parts/cause.tsx'
import { Empty, Facts, Gone, Headers, Instant, ErrorMessage, NewestOnly, Split } from '../parts/common.tsx'
import { Search } from '../parts/filters.tsx'
import { Calendars, Html, readCalendars, Source } from '../parts/mail.tsx'
import { Rows } from '../parts/rows.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { openAddress } from '../route.ts'
import { save, server, type Workspace } from '../server.ts'

const MAX_COUNT = 1000

export function Emails({ workspace, query }: PageProps) {
  const { to: recipient, open } = query
  const request = useRequest(
    async () =>
      (
        await server().call('listEmails', {
          path: { id: workspace.id },
          query: { limit: MAX_COUNT, ...(recipient && { to: recipient }) },
        })
      ).data,
    [recipient],
  )
  useLive(['email'], request.reload)
  const [view, setView] = useState<string>()
  const emails = request.value ?? []
  return (
    <>
      <div class="filters">
        <Search label="Recipient" name="to" placeholder="somebody@example.com" />
      </div>
      <ErrorMessage text={request.problem} />
      <NewestOnly count={emails.length} max={MAX_COUNT} />
      <Split
        close={openAddress(undefined)}
        list={
          emails.length > 0 ? (
            <Rows
              label="E-mails, newest first"
              items={emails}
              keyOf={({ id }) => id}
              addressOf={({ id }) => openAddress(id)}
              opened={open}
              at={({ at }) => at}
              linesOf={() => 3}
              row={emailRow}
            />
          ) : (
            request.value && (
              <Empty>
                {recipient ? 'No e-mails to this address.' : 'No e-mails yet. Calls and triggers send them.'}
              </Empty>
            )
          )
        }
        opened={
          open && <EmailDetail key={open} workspace={workspace} id={open} view={view} onView={setView} />
        }
      />
    </>
  )
}

const emailRow = (email: Schema<'Email'>) => (
  <>
    <span class="method">{email.interface}</span> <span class="title">{email.subject}</span>{' '}
    <span class="reason">
      {nameOf(email.from)} to {email.to}
    </span>{' '}
    <span class="aside">{countText(email.attachments.length)}</span>
  </>
)

/** Returns the name in "Name <address>". */
const nameOf = (sender: string): string => sender.split(' <', 1).join('')

const countText = (attachments: number): string =>
  attachments === 0 ? '' : attachments === 1 ? '1 attachment' : `${String(attachments)} attachments`

interface EmailDetailProps {
  readonly workspace: Workspace
  readonly id: string
  readonly view: string | undefined
  readonly onView: (view: string) => void
}

function EmailDetail({ workspace, id, view, onView }: EmailDetailProps) {
  const path = { id: workspace.id, emailId: id }
  const { value, problem, isMissing } = useRequest(async () => {
    const email = await server().call('getEmail', { path })
    return { email, calendars: await readCalendars(path, email.attachments) }
  }, [id])
  const { problem: failed, run } = useAction()
  if (isMissing) {
    return (
      <Gone title="This e-mail no longer exists">
        A reset and a restored snapshot delete all e-mails of the workspace.
      </Gone>
    )
  }
  if (!value) return <ErrorMessage text={problem} />
  const { email, calendars } = value
  const { html, text, headers } = email
  const replyTo = headers.find(({ name }) => name.toLowerCase() === 'reply-to')
  return (
    <>
      <h2>{email.subject}</h2>
      <Facts
        of={[
          ['From', email.from],
          ['To', email.to],
          ...(replyTo ? ([['Reply-To', replyTo.value]] as const) : []),
          ['Date', <Instant at={email.at} timeZone={workspace.timezone} isLong />],
          ['Interface', email.interface],
          ['Cause', <Cause workspace={workspace} kind="email" id={id} />],
        ]}
      />
      <div class="actions">
        <button
          type="button"
          class="small outline"
          onClick={() => {
            run(() => save('getEmailFile', path, `${id}.eml`))
          }}
        >
          Save as .eml
        </button>
      </div>
      <ErrorMessage text={failed} />
      {email.attachments.length > 0 && <Attachments path={path} attachments={email.attachments} />}
      <Calendars entries={calendars} timeZone={workspace.timezone} />
      <Tabs
        label="Views of the e-mail"
        selected={view}
        onSelect={onView}
        tabs={[
          ...(html === null
            ? []
            : [{ name: 'HTML', content: () => <Html html={html} subject={email.subject} /> }]),
          { name: 'Text', content: () => <pre class="mail">{text}</pre> },
          {
            name: 'Headers',
            content: () => <Headers of={headers.map(({ name, value }) => [name, value])} />,
          },
          { name: 'Source', content: () => <Source path={path} /> },
        ]}
      />
    </>
  )
}
