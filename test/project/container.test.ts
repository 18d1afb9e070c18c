/**
 * Checks the Dockerfile by running its steps in a scratch folder, because no container engine is available: the
 * server has only the files that the last stage copies.
 */
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parse } from 'yaml'
import { beforeAll, describe, expect, test } from 'vitest'
import { build, ROOT, run, scratchFolder, start } from '../support/process.ts'

beforeAll(build)

interface Instruction {
  readonly name: string
  readonly text: string
}

type Stage = readonly Instruction[]

const stages = readStages(readFileSync(join(ROOT, 'Dockerfile'), 'utf8'))
const last = stages.at(-1) ?? []

function readStages(dockerfile: string): Stage[] {
  const found: Instruction[][] = []
  for (const line of dockerfile.replace(/\\\n/g, ' ').split('\n')) {
    const [, name = '', text = ''] = /^([A-Z]+) +(.+)$/.exec(line) ?? []
    if (name === 'FROM') found.push([])
    if (name !== '') found.at(-1)?.push({ name, text })
  }
  return found
}

const allOf = (stage: Stage, name: string): string[] =>
  stage.filter((instruction) => instruction.name === name).map(({ text }) => text)

const only = (stage: Stage, name: string): string => {
  const texts = allOf(stage, name)
  expect(texts).toHaveLength(1)
  return texts[0] ?? ''
}

/** The files that a stage copies from the project folder. */
const copiedFromProject = (stage: Stage): string[] =>
  allOf(stage, 'COPY')
    .filter((text) => !text.includes('--from='))
    .flatMap((text) => text.split(/ +/).slice(0, -1))

describe('Dockerfile', () => {
  test('copies only files that exist and that .dockerignore allows', () => {
    const lines = readFileSync(join(ROOT, '.dockerignore'), 'utf8').split('\n')
    const admitted = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1))
    expect(lines).toContain('*')
    for (const path of stages.flatMap(copiedFromProject)) {
      expect(existsSync(join(ROOT, path)), path).toBe(true)
      expect(admitted).toContain(path.split('/')[0])
    }
  })

  test('copies only from existing stages', () => {
    const names = stages.flatMap((stage) => / AS (\w+)$/.exec(only(stage, 'FROM'))?.[1] ?? [])
    const copied = stages.flatMap((stage) =>
      allOf(stage, 'COPY').flatMap((text) => /--from=(\w+)/.exec(text)?.[1] ?? []),
    )
    expect(copied.length).toBeGreaterThan(0)
    expect(names).toEqual(expect.arrayContaining(copied))
  })

  test('ends in a slim image with the Node version and system that compiled the native module', () => {
    const text = readFileSync(join(ROOT, 'Dockerfile'), 'utf8')
    const [, version = ''] = /^ARG NODE=(.+)$/m.exec(text) ?? []
    expect(version).toMatch(/^24\.\d+\.\d+-bookworm/)
    expect(/^ARG RUNTIME=(.+)$/m.exec(text)?.[1]).toBe(`${version}-slim`)
    expect(stages.map((stage) => only(stage, 'FROM'))).toEqual(['node:${NODE} AS build', 'node:${RUNTIME}'])
  })

  test('runs as a numeric non-root user that owns the data, and declares no volume', () => {
    expect(only(last, 'USER')).toBe('1000:1000')
    // OpenShift runs it as any user of group 0.
    expect(allOf(last, 'RUN')).toContain('install -d -o 1000 -g 0 -m 0770 /data')
    expect(allOf(last, 'VOLUME')).toEqual([])
  })

  test('has labels with the facts of package.json, a list of what it contains, and no package manager', () => {
    const labels = allOf(last, 'LABEL').join(' ')
    const { version, description, license } = JSON.parse(
      readFileSync(join(ROOT, 'package.json'), 'utf8'),
    ) as Record<string, string>
    expect(labels).toContain('org.opencontainers.image.title="Suite Simulator"')
    expect(labels).toContain(`org.opencontainers.image.version="${version ?? ''}"`)
    expect(labels).toContain(`org.opencontainers.image.description="${description ?? ''}"`)
    expect(labels).toContain(`org.opencontainers.image.licenses="LicenseRef-${license ?? ''}"`)
    expect(allOf(stages[0] ?? [], 'RUN')).toContain('npm run sbom -- sbom.cdx.json')
    expect(allOf(last, 'COPY')).toContain('--from=build /app/sbom.cdx.json ./')
    const removed = allOf(last, 'RUN').join(' ')
    for (const path of ['lib/node_modules', 'bin/npm', 'bin/npx', 'bin/corepack', 'bin/yarn']) {
      expect(removed).toContain(`/usr/local/${path} `)
    }
  })

  test('installs once from a persistent cache', () => {
    const installs = stages.flatMap((stage) => allOf(stage, 'RUN')).filter((text) => text.includes('npm ci'))
    expect(installs).toEqual(['--mount=type=cache,target=/root/.npm npm ci'])
  })

  test('listens on all addresses at its exposed port, and keeps its data in a folder for a volume', () => {
    const variables = only(last, 'ENV').split(/ +/)
    expect(variables).toEqual(
      expect.arrayContaining(['HOST=0.0.0.0', 'PORT=4012', 'SIM_DB=/data/suite.sqlite']),
    )
    expect(only(last, 'EXPOSE')).toBe('4012')
  })

  test('starts the server without a shell, so that it receives signals, and checks its health without a second Node process', () => {
    expect(JSON.parse(only(last, 'CMD'))).toEqual(['node', '/app/dist/main.js', 'serve'])
    // Docker 24, Podman 4 and buildah 1.28 stop at --start-interval.
    expect(only(last, 'HEALTHCHECK')).not.toContain('--start-interval')
    expect(only(last, 'HEALTHCHECK')).toMatch(/ CMD \["bash", "\/usr\/local\/bin\/healthcheck"\]$/)
    expect(allOf(last, 'ENTRYPOINT')).toEqual([])
  })
})

test('the build context makes the same bundles as the repository, and no bundle without its settings', () => {
  const context = scratchFolder()
  // What the first stage copies; .dockerignore excludes nothing of it.
  for (const path of copiedFromProject(stages[0] ?? [])) copy(path, context)
  symlinkSync(join(ROOT, 'node_modules'), join(context, 'node_modules'))
  const inContext = hashesOfBundles(context)
  expect(Object.keys(inContext)).toEqual(expect.arrayContaining(['suite-sim.cjs', 'index.js', 'app.css']))
  expect(inContext).toEqual(hashesOfBundles(ROOT))
  for (const name of ['tsconfig.json', 'src/dashboard/tsconfig.json']) {
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

test('compose.yaml keeps the data in a volume, allows the documented calls and leaves time to stop', () => {
  const compose = readFileSync(join(ROOT, 'compose.yaml'), 'utf8')
  expect(compose).toMatch(/^ {6}- data:\/data$/m)
  expect(compose).toMatch(/^volumes:\n {2}data:$/m)
  // The server makes a token and prints it.
  expect(compose).toMatch(/SIM_ADMIN_TOKEN: \$\{SIM_ADMIN_TOKEN:-\}$/m)
  const calls = readFileSync(join(ROOT, 'docs/commands.md'), 'utf8')
    .split('```')
    .filter((block) => block.startsWith('sh\n'))
    .flatMap((block) => block.replaceAll('\\\n', ' ').split('\n'))
    .filter((line) => /^curl\b.*\/_sim\//.test(line))
  expect(calls.length).toBeGreaterThan(3)
  for (const call of calls) expect(call).toContain('-H "Authorization: Bearer $SIM_ADMIN_TOKEN"')
  // The receiver of those calls.
  expect(compose).toMatch(/SIM_WEBHOOK_HTTP_HOSTS:-localhost,/)
  const [, seconds] = /stop_grace_period: (\d+)s/.exec(compose) ?? []
  // A stop waits up to five seconds for requests and deliveries in flight.
  expect(Number(seconds)).toBeGreaterThan(5)
})

test('compose.yaml gives the container no rights that it does not need, and restarts it', () => {
  const { services } = parse(readFileSync(join(ROOT, 'compose.yaml'), 'utf8')) as {
    services: Record<string, object>
  }
  expect(services['suite-sim']).toMatchObject({
    read_only: true,
    tmpfs: ['/tmp:size=512m'],
    build: {
      context: '.',
      args: { SOURCE_REVISION: '${SOURCE_REVISION:-}', SOURCE_DATE: '${SOURCE_DATE:-}' },
    },
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true'],
    restart: 'unless-stopped',
    mem_limit: '1g',
  })
})

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
