/** The body of an e-mail: its HTML in a frame without scripts, its source, and its invitations. */
import { useRef, useState } from 'preact/hooks'
import type { Schema } from '@suite-sim/client/calling'
import { useRequest } from '../api.ts'
import { parseCalendar, type CalendarEntry } from '../calendar.ts'
import { server } from '../server.ts'
import { ErrorMessage, Facts, Instant } from './common.tsx'
import { Json } from './json.tsx'

type EmailPath = Readonly<Record<'id' | 'emailId', string>>

/** Shows the HTML of an e-mail in a frame whose policy allows styles only: no scripts, no requests, no access to this page. */
export function Html({ html, subject }: { html: string; subject: string }) {
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
    setHeight(Math.min(1200, Math.max(320, document.documentElement.scrollHeight + 16)))
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

/** Characters of the source that are shown. Attachments are at its end. */
const MAX_SOURCE = 200_000

/** Shows the beginning of the .eml file. */
export function Source({ path }: { path: EmailPath }) {
  const { value, problem } = useRequest(async () => {
    const response = await server().send('getEmailFile', { path })
    return beginningOf(response)
  }, [path.emailId])
  return (
    <>
      <ErrorMessage text={problem} />
      {value && <Json label="Source" value={value.text} />}
      {value?.isCut === true && (
        <p>The page shows the first {MAX_SOURCE} characters. Save the .eml file to see the whole source.</p>
      )}
    </>
  )
}

/** Reads no more of a response than is shown. */
async function beginningOf({ body }: Response): Promise<{ text: string; isCut: boolean }> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  while (reader && text.length <= MAX_SOURCE) {
    const { value, done } = await reader.read()
    if (done) break
    text += value
  }
  await reader?.cancel()
  return { text: text.slice(0, MAX_SOURCE), isCut: text.length > MAX_SOURCE }
}

/** Returns the events of the attached invitations. Leaves out those whose content was not stored. */
export async function readCalendars(
  path: EmailPath,
  attachments: Schema<'Email'>['attachments'],
): Promise<readonly CalendarEntry[]> {
  const found = await Promise.all(
    attachments.map(async ({ contentType }, index) => {
      if (!contentType.startsWith('text/calendar')) return []
      try {
        const response = await server().send('getEmailAttachment', { path: { ...path, index } })
        return parseCalendar(await response.text())
      } catch {
        return []
      }
    }),
  )
  return found.flat()
}

/** Shows the events of attached invitations. */
export const Calendars = ({ entries, timeZone }: { entries: readonly CalendarEntry[]; timeZone: string }) => (
  <>
    {entries.map((entry, index) => (
      <article key={index} class="calendar">
        <strong>{entry.summary}</strong>
        <Facts
          of={[
            ['Start', <CalendarTime at={entry.start} timeZone={timeZone} />],
            ['End', <CalendarTime at={entry.end} timeZone={timeZone} />],
            ...(entry.location === '' ? [] : ([['Location', entry.location]] as const)),
            ...(entry.status === '' ? [] : ([['Status', entry.status]] as const)),
          ]}
        />
      </article>
    ))}
  </>
)

const CalendarTime = ({ at, timeZone }: { at: Date | string; timeZone: string }) =>
  typeof at === 'string' ? <>{at}</> : <Instant at={at.toISOString()} timeZone={timeZone} isLong />
