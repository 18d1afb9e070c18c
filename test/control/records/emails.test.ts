import { describe, expect, test } from 'vitest'
import { sendEmail, textAttachment } from '../../../src/state/shared/emails.ts'
import { controlApp, makeWorkspace } from '../app.ts'

async function setup() {
  const app = await controlApp()
  const made = await makeWorkspace(app)
  const workspace = app.workspaces.get(made.id)
  workspace.clock.set(Date.parse('2030-01-01T12:00:00Z'), true)
  const send = (to: string, subject = 'Hello') =>
    workspace.write(() =>
      sendEmail(workspace, {
        interface: 'crm',
        to,
        subject: () => subject,
        text: () => 'Good morning.',
        attachments: [{ filename: 'a.pdf', contentType: 'application/pdf', size: 12 }],
      }),
    )
  return { ...app, app, path: `/workspaces/${made.id}/emails`, send }
}

describe('single e-mail', () => {
  const whole = async () => {
    const { app, path, ...rest } = await setup()
    const workspace = app.workspaces.get(path.split('/')[2] ?? '')
    const email = workspace.write(() =>
      sendEmail(workspace, {
        interface: 'crm',
        to: 'ana@example.com',
        subject: () => 'Buenos días',
        text: () => 'Good morning.',
        html: '<p>Good morning.</p>',
        attachments: [
          textAttachment('año.txt', 'text/plain', 'ñ'),
          { filename: 'b.pdf', contentType: 'application/pdf', size: 12 },
        ],
      }),
    )
    const load = (end: string) => app.fastify.inject({ url: `/_sim${path}/${email.id}${end}` })
    return { ...rest, path, email, load }
  }

  test('shows its HTML', async () => {
    const { sim, path, email } = await whole()
    expect(await sim('GET', `${path}/${email.id}`)).toMatchObject({
      status: 200,
      body: { id: email.id, html: '<p>Good morning.</p>', text: 'Good morning.' },
    })
    expect((await sim('GET', `${path}/nobody`)).status).toBe(404)
  })

  test('has the sender and the headers of its file', async () => {
    const { load, sim, path, email } = await whole()
    const { body } = await sim('GET', `${path}/${email.id}`)
    const headers = body.headers as { name: string; value: string }[]
    const [head = ''] = (await load('.eml')).payload.split('\r\n\r\n')
    expect(headers.map(({ name, value }) => `${name}: ${value}`)).toEqual(
      head.replaceAll(/\r\n(?=[ \t])/g, '').split('\r\n'),
    )
    expect(headers).toContainEqual({ name: 'From', value: body.from })
    expect(headers).toContainEqual({ name: 'X-Suite-Interface', value: 'crm' })
  })

  test('is available as a file for mail programs, the same each time', async () => {
    const { load } = await whole()
    const file = await load('.eml')
    expect(file.headers['content-type']).toBe('message/rfc822')
    expect(file.payload).toMatch(/^From: Suite Simulator </m)
    expect(file.payload).toContain('Subject: =?UTF-8?Q?Buenos_d=C3=ADas?=')
    expect(file.payload).toContain('Date: Tue, 01 Jan 2030 12:00:00 +0000')
    expect(file.payload).toContain('<p>Good morning.</p>')
    expect(file.payload).toContain('Content-Disposition: attachment')
    expect((await load('.eml')).payload).toBe(file.payload)
  })

  test('returns its attachments by index if they were stored', async () => {
    const { load, sim, path, email } = await whole()
    const file = await load('/attachments/0')
    expect(file.payload).toBe('ñ')
    expect(file.headers['content-type']).toMatch(/^text\/plain\b/)
    expect(file.headers['x-content-type-options']).toBe('nosniff')
    expect(file.headers['content-security-policy']).toBe('sandbox')
    expect(file.headers['content-disposition']).toBe(
      `attachment; filename="a_o.txt"; filename*=UTF-8''a%C3%B1o.txt`,
    )
    for (const index of [1, 2]) {
      expect((await sim('GET', `${path}/${email.id}/attachments/${String(index)}`)).status).toBe(404)
    }
    expect((await sim('GET', `${path}/${email.id}/attachments/x`)).status).toBe(400)
  })
})

describe('e-mails', () => {
  test('are shown as they would have been sent', async () => {
    const { sim, path, send } = await setup()
    send('ana@example.com')
    const answer = await sim('GET', path)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      data: [
        {
          id: expect.any(String),
          interface: 'crm',
          from: 'Suite Simulator <no-reply@suite-simulator.example>',
          to: 'ana@example.com',
          subject: 'Hello',
          text: 'Good morning.',
          attachments: [{ filename: 'a.pdf', contentType: 'application/pdf', size: 12 }],
          at: '2030-01-01T12:00:00.000Z',
        },
      ],
    })
  })

  test('are listed newest first, 25 by default, and filtered by recipient without case', async () => {
    const { sim, path, send } = await setup()
    for (let n = 0; n < 26; n++) send(n === 3 ? 'Bea@example.com' : 'ana@example.com', String(n))
    const subjects = async (query: string) =>
      (await sim('GET', `${path}?${query}`)).body.data.map(
        ({ subject }: { subject: string }) => subject,
      ) as string[]
    expect(await subjects('')).toEqual(Array.from({ length: 25 }, (_, index) => String(25 - index)))
    expect(await subjects('limit=2')).toEqual(['25', '24'])
    expect(await subjects('to=bea%40EXAMPLE.com')).toEqual(['3'])
    expect(await subjects('to=nobody%40example.com')).toEqual([])
  })

  test('can be waited for', async () => {
    const app = await controlApp()
    const { id, key } = await makeWorkspace(app, { fixtures: 'demo' })
    const crm = async (path: string, body: object): Promise<void> => {
      expect((await app.call('POST', `/crm/v1${path}`, key, body)).status).toBe(201)
    }
    const tell = (to: string, event: string) =>
      crm('/automations', {
        name: `Tell ${to}`,
        type: 'workflow',
        trigger: { event, conditions: [] },
        actions: [{ type: 'send_email', config: { template_id: 'tpl_demo0000000000000002', to } }],
      })
    await tell('ana@example.com', 'contact.created')
    await tell('bea@example.com', 'deal.created')

    const waiting = app.sim('GET', `/workspaces/${id}/emails?to=ana%40example.com&wait=300&count=2`)
    await app.sim('GET', '/health')
    await crm('/contacts', { name: 'Carl' })
    await crm('/deals', { name: 'Ten vans', pipeline_id: 'pipe_demo0000000000000001' })
    await crm('/contacts', { name: 'Dora' })
    expect((await waiting).body.data).toHaveLength(2)
  })

  test('are found by an address in any case, composed and decomposed', async () => {
    const { sim, path, send } = await setup()
    send('jose\u0301@example.com')
    send('José@example.com')
    send('jose@example.com')
    const answer = await sim('GET', `${path}?to=${encodeURIComponent('JOSé@example.com')}`)
    expect((answer.body as { data: unknown[] }).data).toHaveLength(2)
  })

  test.each(['limit=0', 'limit=1001', 'wait=301', 'count=0'])('refuse %s', async (query) => {
    const { sim, path } = await setup()
    expect((await sim('GET', `${path}?${query}`)).status).toBe(400)
  })

  test('of another workspace are not shown, and a reset deletes them', async () => {
    const { app, sim, path, send } = await setup()
    send('ana@example.com')
    const other = await makeWorkspace(app)
    expect((await sim('GET', `/workspaces/${other.id}/emails`)).body).toEqual({ data: [] })
    await sim('POST', path.replace('emails', 'reset'))
    expect((await sim('GET', path)).body).toEqual({ data: [] })
  })
})
