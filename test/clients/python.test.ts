/** The Python client and its pytest plugin (clients/python): its own tests, as a developer runs them, and its package. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { runIn } from '../support/packed.ts'
import { BINARY, build, ROOT, scratchFolder, start, type Ended } from '../support/process.ts'
import { describeWith } from '../support/toolchains.ts'

const PYTHON = '/usr/bin/python3'
const CLIENT = join(ROOT, 'clients/python')
const PYTEST = [PYTHON, '-W', 'error', '-m', 'pytest', '-p', 'no:cacheprovider']

const VARIABLES = {
  SUITE_SIM_COMMAND: `'${process.execPath}' '${BINARY}'`,
  PYTHONDONTWRITEBYTECODE: '1',
}

/** Whether these modules are installed; prints a message if not. CI has only pytest and httpx. */
function hasModules(names: readonly string[], packages: string): boolean {
  const isInstalled = spawnSync(PYTHON, ['-c', `import ${names.join(', ')}`]).status === 0
  if (!isInstalled)
    process.stderr.write(`A test of clients/python did not run; install Debian's ${packages}.\n`)
  return isInstalled
}

/** Returns the number of tests that passed, if nothing else happened. */
function passedIn({ code, stdout, stderr }: Ended): number {
  expect(code, stdout + stderr).toBe(0)
  const summary = /^=+ (\d+) passed in .* =+$/m.exec(stdout)
  expect(summary, stdout).not.toBeNull()
  return Number(summary?.[1])
}

beforeAll(build)

describeWith('Python', 'Python client', () => {
  test('passes its tests against a server', async () => {
    const folder = scratchFolder()
    const { url } = await start(['--port', '0', '--db', ':memory:'], { folder })
    const args = ['--basetemp', join(folder, 'tests')]
    const ended = await runIn(CLIENT, [...PYTEST, '-p', 'suite_simulator.plugin', ...args], {
      ...VARIABLES,
      PYTHONPATH: join(CLIENT, 'src'),
      SUITE_SIM_URL: url,
    })
    expect(passedIn(ended)).toBeGreaterThan(130)
    const { data } = (await (await fetch(`${url}/_sim/workspaces`)).json()) as { data: { id: string }[] }
    expect(data.map(({ id }) => id)).toEqual(['demo'])
  })

  test('installs as a package whose plugin pytest finds', async ({ skip }) => {
    if (!hasModules(['setuptools', 'wheel', 'pip'], 'python3-setuptools python3-wheel python3-pip')) skip()
    const folder = scratchFolder()
    // The build writes into its sources.
    const [sources, installed, tests] = [
      join(folder, 'sources'),
      join(folder, 'installed'),
      join(folder, 'tests'),
    ]
    for (const name of ['pyproject.toml', 'README.md', 'src']) {
      cpSync(join(CLIENT, name), join(sources, name), { recursive: true })
    }
    const offline = ['--no-index', '--no-deps', '--no-build-isolation', '--root-user-action=ignore']
    const pip = await runIn(folder, [
      PYTHON,
      '-m',
      'pip',
      'install',
      ...offline,
      '--target',
      installed,
      sources,
    ])
    expect(pip.code, pip.stderr).toBe(0)
    mkdirSync(tests)
    writeFileSync(
      join(tests, 'test_first.py'),
      'def test_first(workspace, receiver, clock):\n    assert clock.now()\n',
    )
    const variables = { ...VARIABLES, PYTHONPATH: installed }
    expect(passedIn(await runIn(tests, PYTEST, variables))).toBe(1)
    const named = [...PYTEST, '-p', 'suite_simulator.plugin']
    expect(passedIn(await runIn(tests, named, variables))).toBe(1)
  })

  test('has types that mypy accepts', async ({ skip }) => {
    if (!hasModules(['mypy'], 'python3-mypy')) skip()
    const cache = ['--cache-dir', join(scratchFolder(), 'mypy')]
    const { code, stdout, stderr } = await runIn(CLIENT, [PYTHON, '-m', 'mypy', ...cache])
    expect(code, stdout + stderr).toBe(0)
  })
})
