/** The e-mails that the suite would have sent. */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Schema } from '../../library/calling.ts'
import { useRequest, useAction } from '../api.ts'
import type { PageProps } from '../pageProps.ts'
import { parseCalendar, type CalendarEntry } from '../calendar.ts'
import { useLive } from '../live.ts'
import { Empty, Facts, Instant, ErrorMessage, Search, Split } from '../parts/common.tsx'
import { Rows } from '../parts/rows.tsx'
import { filter, openAddress } from '../route.ts'
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
  const emails = request.value ?? []
  return (
    <>
      <div class="filters">
        <Search
          label="Recipient"
          value={recipient}
          placeholder="somebody@example.com"
          onChange={(value) => {
            filter({ to: value })
          }}
        />
      </div>
      <ErrorMessage text={request.problem} />
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
              row={(email) => (
                <>
                  <span class="cell">{email.to}</span> <span class="title">{email.subject}</span>{' '}
                  {email.attachments.length > 0 && (
                    <span class="aside">{email.attachments.length} attachments</span>
                  )}
                </>
              )}
            />
          ) : (
            request.value && (
              <Empty>
                {recipient ? 'No e-mails to this address.' : 'No e-mails yet. Calls and triggers send them.'}
              </Empty>
            )
          )
        }
        opened={open && <EmailDetail key={open} workspace={workspace} id={open} />}
      />
    </>
  )
}

function EmailDetail({ workspace, id }: { workspace: Workspace; id: string }) {
  const path = { id: workspace.id, emailId: id }
  const { value: email, problem } = useRequest(() => server().call('getEmail', { path }), [id])
  const { problem: failed, run } = useAction()
  if (!email) return <ErrorMessage text={problem} />
  return (
    <>
      <h2>{email.subject}</h2>
      <Facts
        of={[
          ['To', email.to],
          ['When', <Instant at={email.at} timeZone={workspace.timezone} isLong />],
          ['Interface', email.interface],
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
        {email.attachments.map(({ filename, size }, index) => (
          <button
            key={filename}
            type="button"
            class="small outline"
            onClick={() => {
              run(() => save('getEmailAttachment', { ...path, index }, filename))
            }}
          >
            {filename} ({sizeText(size)})
          </button>
        ))}
      </div>
      <ErrorMessage text={failed} />
      <Calendars path={path} attachments={email.attachments} timeZone={workspace.timezone} />
      {email.html === null ? (
        <pre class="mail">{email.text}</pre>
      ) : (
        <Html html={email.html} subject={email.subject} />
      )}
    </>
  )
}

const sizeText = (bytes: number): string =>
  bytes < 1024
    ? `${String(bytes)} bytes`
    : bytes < 1_048_576
      ? `${(bytes / 1024).toFixed(1)} kB`
      : `${(bytes / 1_048_576).toFixed(1)} MB`

/** Shows the HTML of an e-mail in a frame whose policy allows styles only: no scripts, no requests, no access to this page. */
function Html({ html, subject }: { html: string; subject: string }) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [height, setHeight] = useState(320)
  const show = (): void => {
    const document = frame.current?.contentDocument
    if (!document) return
    const parsed = new DOMParser().parseFromString(html, 'text/html')
    for (const link of parsed.querySelectorAll('a')) {
      link.target = '_blank'
      link.rel = 'noopener noreferrer'
    }
    document.documentElement.replaceWith(document.importNode(parsed.documentElement, true))
    setHeight(Math.min(1200, Math.max(120, document.documentElement.scrollHeight + 16)))
  }
  return (
    <iframe
      ref={frame}
      class="mail"
      title={`E-mail: ${subject}`}
      src="dashboard/mail.html"
      // `allow-same-origin` is safe without `allow-scripts`, and lets this page write the e-mail into the frame.
      sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
      height={height}
      onLoad={show}
    />
  )
}

interface CalendarsProps {
  readonly path: { readonly id: string; readonly emailId: string }
  readonly attachments: Schema<'Email'>['attachments']
  readonly timeZone: string
}

/** Shows the events of attached invitations. */
function Calendars({ path, attachments, timeZone }: CalendarsProps) {
  const [entries, setEntries] = useState<readonly CalendarEntry[]>([])
  useEffect(() => {
    let isCanceled = false
    const calendars = attachments.flatMap(({ contentType }, index) =>
      contentType.startsWith('text/calendar') ? [index] : [],
    )
    const read = async (index: number): Promise<readonly CalendarEntry[]> => {
      const response = await server().send('getEmailAttachment', { path: { ...path, index } })
      return parseCalendar(await response.text())
    }
    void Promise.all(calendars.map(read)).then((found) => {
      if (!isCanceled) setEntries(found.flat())
    })
    return () => {
      isCanceled = true
    }
  }, [path.emailId])
  return (
    <>
      {entries.map((entry, index) => (
        <article key={index} class="calendar">
          <strong>{entry.summary}</strong>
          <Facts
            of={[
              [
                'Start',
                entry.start instanceof Date ? (
                  <Instant at={entry.start.toISOString()} timeZone={timeZone} isLong />
                ) : (
                  entry.start
                ),
              ],
              [
                'End',
                entry.end instanceof Date ? (
                  <Instant at={entry.end.toISOString()} timeZone={timeZone} isLong />
                ) : (
                  entry.end
                ),
              ],
              ...(entry.location === '' ? [] : ([['Location', entry.location]] as const)),
              ...(entry.status === '' ? [] : ([['Status', entry.status]] as const)),
            ]}
          />
        </article>
      ))}
    </>
  )
}
