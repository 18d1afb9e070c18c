/** What the program says where its native module is missing or does not fit, in a copy of dist/ with another one. */
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { runIn } from '../../support/packed.ts'
import { build, ROOT, scratchFolder } from '../../support/process.ts'

beforeAll(build)

/** The parts of dist/ that no start needs. */
const NOT_NEEDED = /\/dist\/(?:guide|docs|dashboard|interfaces|scalar\.js)/

/** Returns a folder with the program, and the folder of its packages. */
function installed(): { folder: string; modules: string } {
  const folder = scratchFolder()
  cpSync(join(ROOT, 'dist'), join(folder, 'dist'), {
    recursive: true,
    filter: (path) => !NOT_NEEDED.test(path),
  })
  cpSync(join(ROOT, 'package.json'), join(folder, 'package.json'))
  const modules = join(folder, 'node_modules')
  mkdirSync(modules)
  return { folder, modules }
}

/** Installs the module without its binary, as package managers do that run no scripts. */
function copyWithoutBinary(modules: string): void {
  mkdirSync(modules, { recursive: true })
  for (const name of ['bindings', 'file-uri-to-path', 'better-sqlite3/lib', 'better-sqlite3/package.json'])
    cpSync(join(ROOT, 'node_modules', name), join(modules, name), { recursive: true })
}

function writeBinary(modules: string, text: string): void {
  const folder = join(modules, 'better-sqlite3/build/Release')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'better_sqlite3.node'), text)
}

/** Writes a module that can't be used, with this source. */
function writeModule(modules: string, description: object, source: string): void {
  const folder = join(modules, 'better-sqlite3')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify(description))
  writeFileSync(join(folder, 'index.js'), source)
}

const NOT_BUILT = 'better-sqlite3 has no binary, because its install script did not run; run: '
const OTHER =
  `the binary of better-sqlite3 is for another version of Node.js than ${process.versions.node}, ` +
  'or for another system; run: '

interface Case {
  readonly install: (modules: string) => void
  readonly agent?: string
  readonly says: string
}

const CASES: Readonly<Record<string, Case>> = {
  'is missing': {
    install: () => undefined,
    says: 'better-sqlite3 is not installed; run: npm install',
  },
  'has no binary': {
    install: copyWithoutBinary,
    says: `${NOT_BUILT}npm rebuild better-sqlite3`,
  },
  'has no binary, with pnpm': {
    install: (modules) => {
      const store = join(modules, '.pnpm/better-sqlite3@12/node_modules')
      copyWithoutBinary(store)
      symlinkSync(join(store, 'better-sqlite3'), join(modules, 'better-sqlite3'))
    },
    says: `${NOT_BUILT}pnpm approve-builds`,
  },
  'has no binary, with Yarn 4': {
    install: copyWithoutBinary,
    agent: 'yarn/4.9.1 npm/? node/v20.20.2 linux x64',
    says: `${NOT_BUILT}yarn rebuild better-sqlite3`,
  },
  'has no binary, with Yarn 1': {
    install: copyWithoutBinary,
    agent: 'yarn/1.22.22 npm/? node/v20.20.2 linux x64',
    says: `${NOT_BUILT}npm rebuild better-sqlite3`,
  },
  'has a binary of another system': {
    install: (modules) => {
      copyWithoutBinary(modules)
      writeBinary(modules, 'MZ')
    },
    says: `${OTHER}npm rebuild better-sqlite3`,
  },
  'has a binary of another system, with Bun': {
    install: (modules) => {
      copyWithoutBinary(modules)
      writeBinary(modules, 'MZ')
    },
    agent: 'bun/1.2.3 npm/? node/v20.20.2 linux x64',
    says: `${OTHER}bun install --force`,
  },
  'has a binary of another version of Node.js': {
    install: (modules) => {
      const text = 'was compiled against a different Node.js version using\nNODE_MODULE_VERSION 93.'
      writeModule(
        modules,
        {},
        `module.exports = class { constructor() { throw new Error(${JSON.stringify(text)}) } }`,
      )
    },
    says: `${OTHER}npm rebuild better-sqlite3`,
  },
  'needs a later version of Node.js': {
    install: (modules) => {
      const description = { version: '99.1.0', engines: { node: '>=99' } }
      writeModule(modules, description, 'process.abort()')
    },
    says: `better-sqlite3 99.1.0 needs Node.js 99 or later, and this is ${process.versions.node}; use a later one, or install with npm, which chooses the version for it`,
  },
}

/** Prints the error of a start in a program. */
const PROGRAM = 'startSimulator().catch((error) => console.log(error.message))'

test.each(Object.entries(CASES))(
  'serve, doctor and the library say in one line that the module %s',
  async (_name, { install, says, agent = '' }) => {
    const { folder, modules } = installed()
    install(modules)
    const node = (...args: string[]) =>
      runIn(folder, [process.execPath, ...args], { npm_config_user_agent: agent })
    const serve = await node('dist/main.js', '--db', ':memory:', '--port', '0')
    expect(serve).toEqual({ code: 1, stdout: '', stderr: `suite-sim: ${says}\n` })
    const doctor = await node('dist/main.js', 'doctor', '--url', 'http://127.0.0.1:1')
    expect(doctor).toMatchObject({ code: 1, stderr: `suite-sim: cannot open a database: ${says}\n` })
    expect((JSON.parse(doctor.stdout) as { findings: object[] }).findings).toContainEqual({
      check: 'database',
      status: 'failure',
      message: `cannot open a database: ${says}`,
    })
    const said = { code: 0, stdout: `${says}\n`, stderr: '' }
    const imported = `const { startSimulator } = await import('./dist/index.js')\n${PROGRAM}`
    expect(await node('--input-type=module', '--eval', imported)).toEqual(said)
    expect(
      await node('--eval', `const { startSimulator } = require('./dist/index.cjs')\n${PROGRAM}`),
    ).toEqual(said)
  },
)

test('the page on troubleshooting has these words', () => {
  const page = readFileSync(join(ROOT, 'docs/troubleshooting.md'), 'utf8')
  for (const { says } of Object.values(CASES)) {
    const general = says
      .replace('99.1.0', '13.2.0')
      .replace('99', '22')
      .replaceAll(process.versions.node, '...')
    expect(page).toContain(`\`${general.replace(/; (?:run|use a later).*/, '')}`)
    const [, command] = / run: (.*)/.exec(says) ?? []
    if (command !== undefined) expect(page).toContain(`\`${command}\``)
  }
})
