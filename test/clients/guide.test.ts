/**
 * The code of the guide's pages runs as it is written, and prints what the pages show. Only the address of the server
 * differs. .NET is not tested, and the page says so.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { blockAfter, codeBlocksOf, runBlock, runShell, textOfPage, type CodeBlock } from '../support/guide.ts'
import { projectWith, runIn } from '../support/packed.ts'
import { build, freePort, ROOT, run, scratchFolder, sharedServer, start } from '../support/process.ts'
import { describeWith, TOOLCHAINS } from '../support/toolchains.ts'

beforeAll(build)

const only = (blocks: readonly CodeBlock[]): CodeBlock => {
  const [block] = blocks
  if (block === undefined || blocks.length > 1)
    throw new Error(`${String(blocks.length)} blocks instead of one`)
  return block
}

/** Programs that are no languages. */
const OTHERS = ['Caddy', 'HAProxy', 'jq', 'nginx']

describe('getting started', () => {
  const blocks = codeBlocksOf('getting-started.md')
  const shown = only(blocks.filter(({ language }) => language === 'text')).text

  const prints = (heading: string, file: string, ...command: string[]): void => {
    test(`prints what the page shows in ${heading}`, async () => {
      const block = only(blocks.filter((each) => each.heading === heading))
      const { url } = await sharedServer([])
      const ended = await runBlock(block, { file, command, url })
      expect(ended).toEqual({ code: 0, stdout: shown, stderr: '' })
    })
  }

  prints('Node.js', 'first.mjs', process.execPath)
  describeWith('Python', 'Python', () => {
    prints('Python', 'first.py', '/usr/bin/python3')
  })
  describeWith('Java', 'Java', () => {
    prints('Java', 'First.java', 'java')
  })
  describeWith('Go', 'Go', () => {
    prints('Go', 'first.go', 'go', 'run')
  })
  describeWith('PHP', 'PHP', () => {
    prints('PHP', 'first.php', 'php')
  })
  describeWith('Ruby', 'Ruby', () => {
    prints('Ruby', 'first.rb', 'ruby')
  })

  describeWith('curl', 'curl', () => {
    test('pays a link', async () => {
      const { url } = await sharedServer([])
      const { code, stdout } = await runShell(only(blocks.filter(({ heading }) => heading === 'curl')), url)
      const statuses = [...stdout.matchAll(/"status":"(\w+)"/g)].map(([, status]) => status)
      expect([code, statuses[0], statuses.at(-1)]).toEqual([0, 'active', 'paid'])
    })
  })

  test('has a program for each language, and says which one is not run', () => {
    const headings = blocks.map(({ heading }) => heading)
    const languages = Object.keys(TOOLCHAINS).filter((name) => !OTHERS.includes(name))
    expect(headings).toEqual(expect.arrayContaining(['Node.js', ...languages, '.NET']))
  })
})

describe('recipe', () => {
  const blocks = codeBlocksOf('recipes.md')
  const programs = blocks.filter(({ language }) => language === 'js')

  test('exists for each common task', () => {
    expect(programs.map(({ heading }) => heading)).toEqual([
      'Test a retry',
      'A link that expires',
      'A 429',
      'Pay once although the answer was lost',
      'Respect a limit',
      'A search that lags',
      'Two calls at once',
      'An agent who goes offline',
      'A rejected cancellation',
      'Parallel tests',
    ])
  })

  test.each(programs)('"$heading" prints what the page shows', async (block) => {
    const shown = blockAfter(blocks, block)
    expect(shown?.language).toBe('text')
    const folder = projectWith()
    writeFileSync(join(folder, 'recipe.mjs'), block.text)
    const ended = await runIn(folder, [process.execPath, 'recipe.mjs'])
    expect(ended).toEqual({ code: 0, stdout: shown?.text, stderr: '' })
  })

  /** What the last command of each block prints. */
  const OUTCOMES: Readonly<Record<string, RegExp>> = {
    'A link that expires': /"amount":1250,[^}]*"status":"expired"/,
    'A 429': /HTTP\/1\.1 429 [^]*^retry-after: 1\r$[^]*"error":"rate_limit_exceeded"/m,
  }

  describeWith('curl', 'with curl', () => {
    test.each(blocks.filter(({ language }) => language === 'sh'))('"$heading" works', async (block) => {
      const { url } = await sharedServer([])
      const { code, stdout } = await runShell(block, url)
      expect(code).toBe(0)
      expect(stdout).toMatch(OUTCOMES[block.heading] ?? /no outcome is listed above/)
    })
  })
})

describe('differences', () => {
  const blocks = codeBlocksOf('differences.md')
  const inHeading = (language: string) =>
    only(blocks.filter((block) => block.language === language && block.heading === 'Without a test runner'))

  test('are printed as the page shows', async () => {
    const program = inHeading('js')
    const folder = projectWith()
    writeFileSync(join(folder, 'changes.mjs'), program.text)
    const ended = await runIn(folder, [process.execPath, 'changes.mjs'])
    expect(ended).toEqual({ code: 0, stdout: blockAfter(blocks, program)?.text, stderr: '' })
  })

  describeWith('curl', 'with curl', () => {
    test('are printed as a text', async () => {
      const { url } = await sharedServer([])
      const { code, stdout } = await runShell(inHeading('sh'), url)
      expect(code).toBe(0)
      expect(stdout).toMatch(
        /1 change since before: 0 added, 1 changed, 0 removed\n\n~ crm\.contacts con_demo0{15}1\n[^]* {4}by PATCH \S+ 200 \(req_\d+\)\n$/,
      )
    })
  })
})

describe('troubleshooting', () => {
  const blocks = codeBlocksOf('troubleshooting.md')
  const calls = blocks.filter(({ language }) => language === 'sh')

  test('shows an answer after each call', () => {
    expect(calls.length).toBeGreaterThan(8)
    expect(calls.filter((call) => blockAfter(blocks, call)?.language !== 'json')).toEqual([])
  })

  describeWith('curl', 'a call', () => {
    test.each(calls)('"$heading" shows the real answer', async (call) => {
      // The first line says how the server of this call was started.
      const [, flags = ''] = /^# Server: npm start -- (.+)\n/.exec(call.text) ?? []
      const [, token] = /--admin-token (\S+)/.exec(flags) ?? []
      const { url } = await sharedServer(flags === '' ? [] : flags.split(' '), token)
      const { code, stdout } = await runShell(call, url)
      expect(code).toBe(0)
      expect(JSON.parse(stdout)).toEqual(JSON.parse(blockAfter(blocks, call)?.text ?? ''))
    })
  })
})

describe('messages that troubleshooting quotes in its text', () => {
  const page = textOfPage('troubleshooting.md')
  const serve = (folder: string, ...args: string[]) =>
    run(['--db', ':memory:', '--port', '0', ...args], { folder })

  test('are those of a start that fails', async () => {
    const { url } = await sharedServer([])
    const { port } = new URL(url)
    const taken = await serve(scratchFolder(), '--port', port)
    expect(taken.stderr).toContain(`cannot listen at 127.0.0.1 port ${port}: a suite simulator runs at`)
    expect(page).toContain('cannot listen at 127.0.0.1 port 4012: a suite simulator runs at')

    const folder = scratchFolder()
    new SQLite(join(folder, 'other.sqlite')).exec('CREATE TABLE other (id)').close()
    const other = await serve(folder, '--db', 'other.sqlite')
    expect(other.stderr).toContain('cannot use other.sqlite: it is a database of another program')
    expect(page).toContain('cannot use FILE: it is a database of another program')

    expect((await serve(folder, '--prot', '1')).stderr).toContain(
      "unknown option '--prot' (Did you mean --port?)",
    )
    expect(page).toContain("unknown option '--prot' (Did you mean --port?)")
  })

  test('are those of an older version, as the page on upgrades has them', async () => {
    const folder = scratchFolder()
    await (await start(['--port', '0', '--db', 'data/suite.sqlite'], { folder })).stop('SIGTERM')
    const database = new SQLite(join(folder, 'data/suite.sqlite'))
    database.exec("INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('of tomorrow', 9e15)").close()
    const { stderr } = await serve(folder, '--db', 'data/suite.sqlite')
    expect(textOfPage('upgrade.md')).toContain(`\`\`\`text\n${stderr}\`\`\``)
    expect(page).toContain('cannot use data/suite.sqlite: a newer version of suite-sim wrote it; ...')
  })

  test('are those of the running server', async () => {
    const { url } = await sharedServer([])
    const post = async (path: string, body: object, key?: string) => {
      const headers = {
        'content-type': 'application/json',
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
      }
      const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
      return (await response.json()) as { key: string; error?: { message: string } }
    }
    const { key } = await post('/_sim/keys', { workspaceId: 'demo', scopes: ['crm:read'] })
    const refused = await post('/crm/v1/deals', {}, key)
    expect(page).toContain(`\`${refused.error?.message ?? 'no message'}\``)

    await post('/_sim/workspaces/demo/subscriptions', { interface: 'pos', url: 'http://127.0.0.1:9/hook' })
    await post('/_sim/workspaces/demo/triggers/pos.event.emit', { event: 'sale.completed' })
    await post('/_sim/workspaces/demo/clock/advance', { duration: 'PT1S' })
    const deliveries = await fetch(`${url}/_sim/workspaces/demo/deliveries?interface=pos&limit=1`)
    expect(await deliveries.text()).toContain('"error":"connection refused"')
    expect(page).toContain('| `connection refused` ')
  })
})

describe('CI', () => {
  const blocks = codeBlocksOf('ci.md')
  interface Job {
    readonly steps?: readonly { readonly name?: string; readonly run?: string }[]
    readonly env?: Readonly<Record<string, string>>
    readonly variables?: Readonly<Record<string, string>>
    readonly services?: unknown
  }

  const jobs = blocks
    .filter(({ language, heading }) => language === 'yaml' && !heading.endsWith('the real service'))
    .map(({ heading, text }) => {
      const document = parse(text) as { readonly jobs?: { readonly tests: Job }; readonly tests?: Job }
      return { heading, text, job: document.jobs?.tests ?? document.tests ?? {} }
    })

  test('has a job for GitHub and GitLab', () => {
    expect(jobs.map(({ heading }) => heading)).toEqual([
      'GitHub Actions, in the job',
      'GitHub Actions, in a container',
      'GitLab',
    ])
    for (const { job } of jobs) expect(job.env ?? job.variables).toHaveProperty('SUITE_SIM_URL')
  })

  test('has the example job that compares the real service with the simulator', () => {
    const [block] = blocks.filter(({ heading }) => heading.endsWith('the real service'))
    const example = readFileSync(join(ROOT, 'examples/github-actions/verify.yml'), 'utf8')
    expect(parse(block?.text ?? '')).toEqual(parse(example))
  })

  test('names only variables that the program, the library or the clients read', () => {
    const sources = [
      'src/serve',
      ...['cli', 'client', 'kit', 'library'].map((name) => `packages/${name}/src`),
    ].flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts'))
        .map((name) => readFileSync(join(ROOT, folder, name), 'utf8')),
    )
    const names = new Set(textOfPage('ci.md').match(/\b(?:SUITE_)?SIM_[A-Z_]+/g))
    expect(names.size).toBeGreaterThan(5)
    expect([...names].filter((name) => !sources.some((text) => text.includes(`'${name}'`)))).toEqual([])
  })

  describeWith('curl', 'a job', () => {
    test('starts a simulator in the job, and waits until it is healthy', async () => {
      const [{ job } = { job: {} as Job }] = jobs
      const step = job.steps?.find(({ name }) => name === 'Start the simulator')
      const port = await freePort()
      const folder = projectWith()
      // The whole job, because npx may end before the program that it started.
      const ending = `set -m\ntrap 'kill -- -$!; wait' EXIT\n`
      writeFileSync(join(folder, 'step.sh'), ending + (step?.run ?? 'exit 1'))
      const own = `http://127.0.0.1:${String(port)}`
      const ended = await runIn(folder, ['bash', '-e', 'step.sh'], { SUITE_SIM_URL: own, PORT: String(port) })
      expect(ended.code, ended.stderr).toBe(0)
      expect(JSON.parse(ended.stdout)).toMatchObject({ status: 'ok' })
    })
  })

  test('says that the programs for Testcontainers are not run', () => {
    expect(textOfPage('ci.md')).toMatch(/programs are not run by the tests of this repository/)
  })
})
