/** Formats messages for mail programs (RFC 5322), and forwards them to a mail server. */
import { createTransport } from 'nodemailer'
import MailComposer from 'nodemailer/lib/mail-composer'
import { SENDER, type Email } from '../../state/shared/emails.ts'

/** Maximum number of messages that wait for the mail server; more are not forwarded. */
const MAX_WAITING = 1000

const messageOf = ({ id, interface: of, to, subject, text, html, attachments, at }: Email) => ({
  from: SENDER,
  to,
  subject,
  text,
  ...(html !== null && { html }),
  date: new Date(at),
  messageId: `<${id}@suite-simulator.example>`,
  // Keeps the bytes of a message the same each time.
  baseBoundary: id,
  headers: { 'X-Suite-Interface': of },
  disableFileAccess: true,
  disableUrlAccess: true,
  attachments: attachments.flatMap(({ filename, contentType, content }) =>
    content === undefined ? [] : [{ filename, contentType, content: Buffer.from(content, 'base64') }],
  ),
})

export const asEml = (email: Email): Promise<Buffer> => new MailComposer(messageOf(email)).compile().build()

export interface EmailHeader {
  readonly name: string
  readonly value: string
}

/** Returns the headers of the `.eml` file, each on one line. */
export const headersOf = (email: Email): EmailHeader[] =>
  new MailComposer(messageOf(email))
    .compile()
    .buildHeaders()
    .replaceAll(/\r\n(?=[ \t])/g, '')
    .split('\r\n')
    .map((line) => {
      const colon = line.indexOf(':')
      return { name: line.slice(0, colon), value: line.slice(colon + 1).trim() }
    })

export interface MailForwarder {
  readonly pass: (email: Email) => void
  readonly close: () => void
}

/**
 * Forwards messages to a server: smtp://user:password@mail.example.com:587. `failed` gets each message that
 * it refuses.
 */
export function createMailForwarder(
  url: string,
  failed: (error: unknown, email: Email) => void,
): MailForwarder {
  const transport = createTransport({ url, pool: true, maxConnections: 2 })
  let waiting = 0
  return {
    pass(email) {
      if (waiting >= MAX_WAITING) {
        failed(new Error('too many messages are waiting for the mail server'), email)
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
