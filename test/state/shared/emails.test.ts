/** E-mails that are forwarded to a mail server. */
import { createServer, type AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { sendEmail } from '../../../src/state/shared/emails.ts'
import { controlApp, makeWorkspace } from '../../control/app.ts'

/** Starts a mail server that accepts everything and records it. */
async function mailServer() {
  const messages: string[] = []
  const server = createServer((socket) => {
    let data: string | null = null
    socket.write('220 test\r\n')
    socket.on('error', () => undefined)
    socket.on('data', (chunk: Buffer) => {
      if (data !== null) {
        data += chunk.toString()
        if (!data.endsWith('\r\n.\r\n')) return
        messages.push(data)
        data = null
        socket.write('250 taken\r\n')
      } else if (chunk.toString().startsWith('DATA')) {
        data = ''
        socket.write('354 go on\r\n')
      } else socket.write('250 fine\r\n')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { messages, url: `smtp://127.0.0.1:${String((server.address() as AddressInfo).port)}` }
}

test('forwards an e-mail to the configured mail server only if it was committed', async () => {
  const { messages, url } = await mailServer()
  const app = await controlApp({ smtpUrl: url })
  const workspace = app.workspaces.get((await makeWorkspace(app)).id)
  const send = (subject: string) =>
    sendEmail(workspace, {
      interface: 'crm',
      to: 'ana@example.com',
      subject: () => subject,
      text: () => 'Good morning.',
    })
  expect(() =>
    workspace.write(() => {
      send('Undone')
      throw new Error('undone')
    }),
  ).toThrow('undone')
  workspace.write(() => send('Kept'))
  await expect.poll(() => messages.length, { timeout: 120_000 }).toBe(1)
  expect(messages[0]).toContain('Subject: Kept')
})
