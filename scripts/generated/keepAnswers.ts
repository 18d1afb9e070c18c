/** Asks a built version everything that `suite-sim verify` reads of its demo, and writes the calls as a HAR file. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { buildApp } from '../../src/app.ts'
import { ServiceClient } from '@suite-sim/verify/exchanges/serviceClient'
import type { Exchange } from '@suite-sim/verify/exchanges/exchange'
import { ALL_INTERFACES, Reference } from '@suite-sim/verify/reference'
import { demoValues } from '@suite-sim/verify/crawl/demoValues'
import { crawl } from '@suite-sim/verify/crawl/crawl'
import { ROOT } from '../../test/support/root.ts'

const { values } = parseArgs({ options: { binary: { type: 'string', default: join(ROOT, 'dist/main.js') } } })
const folder = mkdtempSync(join(tmpdir(), 'suite-sim-answers-'))
const args = [resolve(values.binary), 'serve', '--port', '0', '--db', ':memory:', '--rate-limits', 'off']
const server = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
try {
  const [line] = (await once(createInterface(server.stdout), 'line')) as [string]
  const [url = ''] = /http:\/\/[\w.:]+/.exec(line) ?? []
  const { version } = (await (await fetch(`${url}/_sim/health`)).json()) as { version: string }
  const exchanges = await ask(url)
  const name = version.split('.').slice(0, 2).join('.')
  const file = join(ROOT, 'test/fixtures/answers', `${name}.har.gz`)
  mkdirSync(join(ROOT, 'test/fixtures/answers'), { recursive: true })
  const har = {
    log: { version: '1.2', creator: { name: 'suite-sim', version }, entries: exchanges.map(entryOf) },
  }
  writeFileSync(file, gzipSync(JSON.stringify(har).replaceAll(url, 'http://localhost'), { level: 9 }))
  process.stdout.write(`${file}: ${String(exchanges.length)} calls\n`)
} finally {
  server.kill()
  rmSync(folder, { recursive: true, force: true })
}

/** Asks what this version knows of the interfaces. */
async function ask(baseUrl: string): Promise<readonly Exchange[]> {
  const reference = await Reference.start(async () => {
    const app = await buildApp({ fixtures: 'none' })
    return { url: await app.listen({ host: '127.0.0.1', port: 0 }), close: () => app.close() }
  })
  const published = await Promise.all(ALL_INTERFACES.map((each) => reference.published(each)))
  const operations = published.flatMap((each) => each.operations)
  const { answers } = await crawl({
    client: new ServiceClient({
      service: { baseUrl, key: 'demo-key' },
      budget: Infinity,
      intervalMs: 0,
      mayWrite: false,
    }),
    operations,
    known: { ...demoValues(operations), account_id: '1' },
    probesAuth: false,
  })
  await reference.close()
  return answers.exchanges
}

/** Files are kept by their first characters, because only their form is compared. */
function entryOf({ probe, url, at, status, headers, text, durationMs }: Exchange): object {
  return {
    startedDateTime: at,
    time: durationMs,
    request: { method: probe.operation.method, url },
    response: {
      status,
      headers: Object.entries(headers).flatMap(([name, value]) =>
        name === 'x-request-id' || name === 'date' ? [] : [{ name, value }],
      ),
      content: { mimeType: headers['content-type'] ?? '', text },
    },
  }
}
