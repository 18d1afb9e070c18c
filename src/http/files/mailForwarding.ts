/** Forwards the messages of all workspaces to a mail server. */
import { emailListeners, type Email } from '../../state/shared/emails.ts'
import type { Database } from '../../state/storage/database/database.ts'
import type { MailForwarder } from './mime.ts'

/** Loads the SMTP client with the first message. Returns a function that closes it. */
export function forwardEmails(
  url: string,
  database: Database,
  failed: (error: unknown, email: Email) => void,
): () => Promise<void> {
  let forwarder: Promise<MailForwarder> | undefined
  emailListeners(database).add((email) => {
    forwarder ??= import('./mime.ts').then(({ createMailForwarder }) => createMailForwarder(url, failed))
    forwarder.then(
      ({ pass }) => {
        pass(email)
      },
      (error: unknown) => {
        failed(error, email)
      },
    )
  })
  return async () => {
    const opened = await forwarder?.catch(() => null)
    opened?.close()
  }
}
