/** Messages as mail programs know them (RFC 5322), and passed on to a mail server. */
import { createTransport } from 'nodemailer'
import MailComposer from 'nodemailer/lib/mail-composer'
import type { Email } from '../state/emails.ts'

/** Nobody gets answers at this address: it belongs to no one (RFC 2606). */
const FROM = { name: 'Suite Simulator', address: 'no-reply@suite-simulator.example' }

/** Messages that may wait for the mail server; further ones are not passed on. */
const MAX_WAITING = 1000

const messageOf = ({ id, interface: of, to, subject, text, html, attachments, at }: Email) => ({
  from: FROM,
  to,
  subject,
  text,
  ...(html !== null && { html }),
  date: new Date(at),
  messageId: `<${id}@suite-simulator.example>`,
  // The same message is the same bytes each time.
  baseBoundary: id,
  headers: { 'X-Suite-Interface': of },
  disableFileAccess: true,
  disableUrlAccess: true,
  attachments: attachments.flatMap(({ filename, contentType, content }) =>
    content === undefined ? [] : [{ filename, contentType, content: Buffer.from(content, 'base64') }],
  ),
})

export const asEml = (email: Email): Promise<Buffer> => new MailComposer(messageOf(email)).compile().build()

export interface PassingOn {
  readonly pass: (email: Email) => void
  readonly close: () => void
}

/** Passes messages on to a server: smtp://user:password@mail.example.com:587. `failed` is told of each that it refuses. */
export function passingOn(url: string, failed: (error: unknown, email: Email) => void): PassingOn {
  const transport = createTransport({ url, pool: true, maxConnections: 2 })
  let waiting = 0
  return {
    pass(email) {
      if (waiting >= MAX_WAITING) {
        failed(new Error('too many messages wait for the mail server'), email)
        return
      }
      waiting++
      transport
        .sendMail(messageOf(email))
        .catch((error: unknown) => {
          failed(error, email)
        })
        .finally(() => {
          waiting--
        })
    },
    close() {
      transport.close()
    },
  }
}
