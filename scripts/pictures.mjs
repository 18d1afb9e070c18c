/**
 * `npm run pictures`: takes the dashboard screenshots of the documentation. It starts the built program,
 * makes some calls, and uses the Chromium of this machine.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = join(root, 'docs/pictures')
const port = process.env.PORT ?? '4012'
const url = `http://127.0.0.1:${port}`

const server = spawn(process.execPath, [join(root, 'dist/main.js'), '--db', ':memory:', '--port', port], {
  stdio: ['ignore', 'pipe', 'inherit'],
})
await once(server.stdout, 'data')
try {
  await makeCalls()
  await takePictures()
} finally {
  server.kill()
}

async function ask(method, path, body) {
  const response = await fetch(url + path, {
    method,
    headers: { authorization: 'Bearer demo-key', ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (response.status >= 500) throw new Error(`${method} ${path}: ${response.status}`)
  return response.json().catch(() => null)
}

/** Makes calls that succeed and fail, and payments with effects. */
async function makeCalls() {
  const sim = (path, body) => ask('POST', `/_sim/workspaces/demo${path}`, body)
  await sim('/subscriptions', { interface: 'payments', url: `${url}/_sim/receiver` })
  await ask('GET', '/crm/v1/deals?status=open')
  await ask('POST', '/crm/v1/contacts', { name: 'Marisol Quintero', email: 'marisol.quintero@example.com' })
  await ask('GET', '/crm/v1/contacts/con_unknown')
  const { data } = await ask('POST', '/pay/v1/payment-links', {
    amount: 48900,
    currency: 'USD',
    description: 'Standing desk',
  })
  await sim('/triggers/payments.link.pay', { link_id: data.id })
  await ask('GET', '/_sim/workspaces/demo/deliveries?status=delivered&interface=payments&wait=5&count=1')
}

async function first(path) {
  const { data } = await ask('GET', `/_sim/workspaces/demo${path}`)
  return data[0]?.id
}

async function takePictures() {
  mkdirSync(folder, { recursive: true })
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium' })
  const trigger = await first('/timeline?kind=trigger&limit=1')
  const shots = [
    ['now', `now?open=${trigger}`, 'light'],
    ['calls', `calls?open=${await first('/requests?status=404')}`, 'light'],
    ['records', 'records?section=crm.deals&open=deal_demo0000000000000003', 'dark'],
  ]
  for (const [name, page, colorScheme] of shots) {
    const tab = await browser.newPage({ viewport: { width: 1200, height: 720 }, colorScheme })
    await tab.goto(`${url}/_sim/#/${page}`)
    await tab.getByRole('region', { name: 'Details' }).getByRole('heading', { level: 2 }).waitFor()
    // Its content comes from further calls.
    await tab.waitForTimeout(1000)
    await tab.screenshot({ path: join(folder, `${name}.png`) })
  }
  await browser.close()
}
