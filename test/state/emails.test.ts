/** E-mails that are passed on to a mail server. */
import { createServer, type AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { sendEmail } from '../../src/state/emails.ts'
import { controlApp, makeWorkspace } from '../control/app.ts'

/** A mail server that takes everything; answers with what it was sent. */
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

test('an e-mail is passed on to a mail server where one is named, and only what was kept', async () => {
  const { messages, url } = await mailServer()
  const app = await controlApp({ smtpUrl: url })
  const workspace = app.workspaces.get((await makeWorkspace(app)).id)
  const send = (subject: string) =>
    sendEmail(workspace, { interface: 'crm', to: 'ana@example.com', subject, text: 'Good morning.' })
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
