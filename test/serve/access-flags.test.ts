/** Flags and variables about access: tokens, their files, metrics and resets. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runHere, serveHere } from '../support/commandLine.ts'
import { scratchFolder } from '../support/process.ts'

const MEMORY = ['--port', '0', '--db', ':memory:', '--fixtures', 'none']

/** Writes a token to a file of a new folder. */
function tokenFile(content: string): { folder: string; file: string } {
  const folder = scratchFolder()
  const file = join(folder, 'token')
  writeFileSync(file, content)
  return { folder, file }
}

const statusOf = async (url: string, path: string, token?: string, method = 'GET'): Promise<number> => {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  return (await fetch(`${url}/_sim${path}`, { method, headers })).status
}

describe('a token file', () => {
  test.each(['from-file', 'from-file\n', 'from-file\r\n'])('sets the admin token %j', async (content) => {
    const { folder, file } = tokenFile(content)
    const server = await serveHere(MEMORY, { folder, variables: { SIM_ADMIN_TOKEN_FILE: file } })
    expect(await statusOf(server.url, '/workspaces', 'from-file')).toBe(200)
    expect(await statusOf(server.url, '/workspaces')).toBe(401)
    expect(server.stdout() + server.stderr()).not.toContain('from-file')
  })

  test('sets the metrics token beside an admin token from a variable', async () => {
    const { folder, file } = tokenFile('scrape\n')
    const variables = { SIM_METRICS_TOKEN_FILE: file, SIM_ADMIN_TOKEN: 'right' }
    const { url } = await serveHere(MEMORY, { folder, variables })
    expect(await statusOf(url, '/metrics', 'scrape')).toBe(200)
    expect(await statusOf(url, '/workspaces', 'scrape')).toBe(403)
  })

  test('gives the commands their token', async () => {
    const { folder, file } = tokenFile('from-file\n')
    const { url } = await serveHere([...MEMORY, '--admin-token', 'from-file'], { folder, variables: {} })
    const place = { folder, variables: { SIM_ADMIN_TOKEN_FILE: file } }
    expect((await runHere(['workspace', 'list', '--url', url], place)).code).toBe(0)
    expect((await runHere(['workspace', 'list', '--url', url], { folder, variables: {} })).code).toBe(1)
  })

  test.each([{ flag: ['--admin-token', 'from-flag'] }, { flag: ['--admin-token=from-flag'] }])(
    'is not read beside $flag',
    async ({ flag }) => {
      const { folder, file } = tokenFile('from-file\n')
      const place = { folder, variables: { SIM_ADMIN_TOKEN_FILE: file } }
      const { url } = await serveHere([...MEMORY, ...flag], place)
      expect(await statusOf(url, '/workspaces', 'from-flag')).toBe(200)
      expect(await statusOf(url, '/workspaces', 'from-file')).toBe(401)
      expect((await runHere(['workspace', 'list', '--url', url, ...flag], place)).code).toBe(0)
      expect((await runHere(['workspace', 'list', '--url', url], place)).code).toBe(1)
    },
  )

  test('that is missing disturbs only commands that need its token', async () => {
    const { url } = await serveHere(MEMORY, { folder: scratchFolder(), variables: {} })
    const place = { folder: scratchFolder(), variables: { SIM_ADMIN_TOKEN_FILE: 'nothing' } }
    for (const args of [
      ['--help'],
      ['serve', '--help'],
      ['workspace', '--help'],
      ['--version'],
      ['healthcheck', '--url', url],
      ['completion', 'bash'],
      ['workspace', 'list', '--url', url, '--admin-token', 'given'],
    ]) {
      expect([args, await runHere(args, place)]).toEqual([
        args,
        expect.objectContaining({ code: 0, stderr: '' }),
      ])
    }
    const list = ['workspace', 'list', '--url', url]
    const { code, stderr } = await runHere(list, place)
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('cannot read nothing: the file does not exist'),
    ])
    const metrics = { ...place, variables: { SIM_METRICS_TOKEN_FILE: 'nothing' } }
    expect((await runHere(list, metrics)).code).toBe(0)
  })

  const FILE = 'SIM_ADMIN_TOKEN_FILE'
  test.each([
    ['that is empty', '', {}, [], /^suite-sim: SIM_ADMIN_TOKEN_FILE: \S+token is empty\n$/],
    ['with a newline alone', '\n', {}, [], /^suite-sim: SIM_ADMIN_TOKEN_FILE: \S+token is empty\n$/],
    ['with a space', 'hidden word', {}, [], /must be visible ASCII characters without spaces\n$/],
    [
      'with a space from a variable',
      '',
      { [FILE]: '', SIM_ADMIN_TOKEN: 'hidden word' },
      [],
      /'--admin-token <token>' is invalid/,
    ],
    ['with two lines', 'hidden\nword\n', {}, [], /must be visible ASCII characters without spaces\n$/],
    [
      'beside the variable',
      'hidden',
      { SIM_ADMIN_TOKEN: 'hidden' },
      [],
      /_FILE and SIM_ADMIN_TOKEN are both given/,
    ],
  ])('%s is refused in one line without the token', async (_name, content, variables, args, line) => {
    const { folder, file } = tokenFile(content)
    const place = { folder, variables: { [FILE]: file, ...variables } }
    const { code, stdout, stderr } = await runHere(['serve', '--port', '0', ...args], place)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(line)
    expect(stderr.trimEnd()).not.toContain('\n')
    expect(stderr).not.toContain('hidden')
    expect(readdirSync(folder)).toEqual(['token'])
  })

  test('that is missing or a folder is refused', async () => {
    const folder = scratchFolder()
    mkdirSync(join(folder, 'inside'))
    const stderrOf = async (name: string) => {
      const { code, stderr } = await runHere(['serve'], {
        folder,
        variables: { SIM_METRICS_TOKEN_FILE: name },
      })
      return [code, stderr]
    }
    expect(await stderrOf('nothing')).toEqual([
      2,
      'suite-sim: SIM_METRICS_TOKEN_FILE: cannot read nothing: the file does not exist\n',
    ])
    expect(await stderrOf('inside')).toEqual([
      2,
      'suite-sim: SIM_METRICS_TOKEN_FILE: cannot read inside: it is a folder\n',
    ])
  })

  test('is ignored if the variable is empty, as compose files set it', async () => {
    const variables = { SIM_ADMIN_TOKEN_FILE: '', SIM_ADMIN_TOKEN: 'right' }
    const { url } = await serveHere(MEMORY, { folder: scratchFolder(), variables })
    expect(await statusOf(url, '/workspaces', 'right')).toBe(200)
  })
})

test.each([
  [['--metrics', 'all'], 'It must be "protected" or "public".'],
  [['--allow-reset', 'maybe'], 'It must be "on" or "off".'],
  [['--metrics-token', 'hidden word'], "option '--metrics-token <token>' is invalid."],
  [['--admin-token', 'hidden word'], "option '--admin-token <token>' is invalid."],
])('%j is refused in one line', async (args, line) => {
  const { code, stderr } = await runHere(args, { folder: scratchFolder(), variables: {} })
  expect([code, stderr]).toEqual([2, expect.stringContaining(line)])
  expect(stderr).not.toContain('hidden')
})

test.each([
  [
    ['--metrics', 'public', '--metrics-token', 'hidden'],
    /--metrics public and --metrics-token are both given/,
  ],
  [
    ['--metrics-token', 'hidden', '--admin-token', 'hidden'],
    /--metrics-token must differ from --admin-token/,
  ],
])('%j is refused before the database is created', async (args, line) => {
  const folder = scratchFolder()
  const { code, stdout, stderr } = await runHere(['--port', '0', ...args], { folder, variables: {} })
  expect([code, stdout, stderr]).toEqual([2, '', expect.stringMatching(line)])
  expect(stderr.trimEnd()).not.toContain('\n')
  expect(stderr).not.toContain('hidden')
  expect(readdirSync(folder)).toEqual([])
})

test('the metrics token of a file is compared with the admin token', async () => {
  const { folder, file } = tokenFile('hidden\n')
  const variables = { SIM_METRICS_TOKEN_FILE: file, SIM_ADMIN_TOKEN: 'hidden' }
  const { code, stderr } = await runHere(['--port', '0'], { folder, variables })
  expect([code, stderr]).toEqual([2, expect.stringContaining('must differ from --admin-token')])
  expect(readdirSync(folder)).toEqual(['token'])
})

test('the flags open the metrics and allow resets', async () => {
  const network = [...MEMORY, '--host', '0.0.0.0', '--admin-token', 'right']
  const at = (url: string): string => url.replace('0.0.0.0', '127.0.0.1')
  const closed = await serveHere(network, { folder: scratchFolder(), variables: {} })
  expect(await statusOf(at(closed.url), '/metrics')).toBe(401)
  expect(await statusOf(at(closed.url), '/reset', 'right', 'POST')).toBe(403)
  const open = await serveHere([...network, '--allow-reset', '--metrics', 'public'], {
    folder: scratchFolder(),
    variables: {},
  })
  expect(await statusOf(at(open.url), '/metrics')).toBe(200)
  expect(await statusOf(at(open.url), '/reset', 'right', 'POST')).toBe(204)
  const byVariables = await serveHere(network, {
    folder: scratchFolder(),
    variables: { SIM_ALLOW_RESET: 'on', SIM_METRICS: 'public' },
  })
  expect(await statusOf(at(byVariables.url), '/metrics')).toBe(200)
  expect(await statusOf(at(byVariables.url), '/reset', 'right', 'POST')).toBe(204)
})

test('a generated admin token stays beside a metrics token', async () => {
  const { url, stderr } = await serveHere([...MEMORY, '--host', '0.0.0.0', '--metrics-token', 'scrape'], {
    folder: scratchFolder(),
    variables: {},
  })
  expect(stderr()).toContain('Its admin token: ')
  expect(await statusOf(url.replace('0.0.0.0', '127.0.0.1'), '/metrics', 'scrape')).toBe(200)
})
