/**
 * Checks the Dockerfile by running its steps in a scratch folder, because no container engine is available: the
 * server has only the files that the last stage copies.
 */
import { spawnSync } from 'node:child_process'
import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { build, ROOT, run, scratchFolder, start } from '../../support/process.ts'
import { allOf, copiedFromProject, last, stages } from '../dockerfile.ts'

beforeAll(build)

test('the build context makes the same bundles as the repository, and no bundle without its settings', () => {
  const context = scratchFolder()
  // What the first stage copies; .dockerignore excludes nothing of it.
  for (const path of copiedFromProject(stages[0] ?? [])) copy(path, context)
  symlinkSync(join(ROOT, 'node_modules'), join(context, 'node_modules'))
  const inContext = hashesOfBundles(context)
  expect(Object.keys(inContext)).toEqual(expect.arrayContaining(['suite-sim.cjs', 'index.js', 'app.css']))
  expect(inContext).toEqual(hashesOfBundles(ROOT))
  for (const name of ['tsconfig.json', 'packages/dashboard/src/tsconfig.json']) {
    rmSync(join(context, name))
    expect(() => hashesOfBundles(context)).toThrow(`the build needs ${name}`)
    copyFileSync(join(ROOT, name), join(context, name))
  }
})

/** The SHA-256 of each bundle that the scripts in a folder make. */
function hashesOfBundles(folder: string): Record<string, string> {
  const program = `
    import { createHash } from 'node:crypto'
    import { basename } from 'node:path'
    import { bundle, dashboard, programs } from './scripts/bundles.mjs'
    import { libraryFiles } from './scripts/library.mjs'
    // The bundles name their modules by path, and node_modules is a link in the context.
    const options = [...programs(), dashboard()].map((each) => ({ ...each, preserveSymlinks: true }))
    const results = await Promise.all(options.map(bundle))
    const files = [
      ...results.flatMap(({ outputFiles }) => outputFiles).map(({ path, contents }) => [basename(path), contents]),
      ...Object.entries(await libraryFiles(process.cwd())),
    ]
    const hashes = files.map(([name, contents]) => [name, createHash('sha256').update(contents).digest('hex')])
    process.stdout.write(JSON.stringify(Object.fromEntries(hashes)))`
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    env: { ...process.env, SOURCE_REVISION: 'test', SOURCE_DATE_EPOCH: '1' },
  })
  if (status !== 0) throw new Error(stderr)
  return JSON.parse(stdout) as Record<string, string>
}

test('the bill of materials lists the packages in the bundle and the native module, and no tools', () => {
  const file = join(scratchFolder(), 'sbom.json')
  const { status, stderr } = spawnSync(process.execPath, [join(ROOT, 'scripts/sbom.mjs'), file], {
    encoding: 'utf8',
  })
  expect(status, stderr).toBe(0)
  const { bomFormat, components, dependencies } = JSON.parse(readFileSync(file, 'utf8')) as {
    bomFormat: string
    components: { name: string; purl: string; version: string }[]
    dependencies: { ref: string; dependsOn: string[] }[]
  }
  expect(bomFormat).toBe('CycloneDX')
  const names = components.map(({ name }) => name)
  expect(names).toEqual(
    expect.arrayContaining([
      'better-sqlite3',
      'bindings',
      'fastify',
      'ws',
      'undici',
      'pdf-lib',
      'preact',
      'pino',
    ]),
  )
  for (const tool of ['vitest', 'oxlint', 'esbuild', 'typescript', 'playwright-core'])
    expect(names).not.toContain(tool)
  const refs = new Set(components.map(({ name, version }) => `${name}@${version}`))
  expect(dependencies.flatMap(({ dependsOn }) => dependsOn).filter((ref) => !refs.has(ref))).toEqual([])
})

test('the resulting image content starts, is healthy, and stops cleanly', async () => {
  const image = scratchFolder()
  const app = join(image, 'app')
  const data = join(image, 'data')
  for (const path of copiedFromProject(last)) if (!path.startsWith('scripts/')) copy(path, app)
  copy('dist', app)
  shipNative(join(image, 'shipped'), join(app, 'node_modules'))

  const binary = join(app, 'dist/main.js')
  const variables = { NODE_ENV: 'production', PORT: '0', SIM_DB: join(data, 'suite.sqlite') }
  const server = await start(['serve'], { folder: app, binary, variables })
  expect(await run(['healthcheck', '--url', server.url], { folder: app, binary })).toMatchObject({ code: 0 })
  expect(isWell(new URL(server.url).port)).toBe(true)
  const headers = { authorization: 'Bearer demo-key' }
  expect((await fetch(`${server.url}/workspace/public/v1/products`, { headers })).status).toBe(200)
  expect(await server.stop('SIGTERM')).toBe(0)
  expect(isWell(new URL(server.url).port)).toBe(false)
  expect(readdirSync(data)).toEqual(['files', 'suite.sqlite', 'suite.sqlite-lock'])
})

function copy(path: string, folder: string): void {
  mkdirSync(folder, { recursive: true })
  cpSync(join(ROOT, path), join(folder, path), { recursive: true })
}

/** The result of the image's health check for a server at a port of this machine. */
const isWell = (port: string): boolean =>
  spawnSync('bash', [join(ROOT, 'scripts/healthcheck.sh')], { env: { ...process.env, PORT: port } })
    .status === 0

/** Runs the step that copies the native module from the installation of this checkout. */
function shipNative(shipped: string, modules: string): void {
  const step = allOf(stages[0] ?? [], 'RUN').find((text) => text.includes('/shipped')) ?? ''
  const command = step.replaceAll('/shipped', shipped)
  const { status, stderr } = spawnSync('sh', ['-c', command], { cwd: ROOT, encoding: 'utf8' })
  expect(status, stderr).toBe(0)
  cpSync(shipped, modules, { recursive: true })
}
