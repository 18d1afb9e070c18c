/**
 * The Dockerfile, read and followed. No engine builds it here, so its steps are done by hand in a scratch folder: what
 * the last stage copies is all that the server finds there.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
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

/** What a stage copies from the folder of the project. */
const copiedFromProject = (stage: Stage): string[] =>
  allOf(stage, 'COPY')
    .filter((text) => !text.includes('--from='))
    .flatMap((text) => text.split(/ +/).slice(0, -1))

describe('the Dockerfile', () => {
  test('copies only what is there and what .dockerignore lets through', () => {
    const lines = readFileSync(join(ROOT, '.dockerignore'), 'utf8').split('\n')
    const admitted = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1))
    expect(lines).toContain('*')
    for (const path of stages.flatMap(copiedFromProject)) {
      expect(existsSync(join(ROOT, path)), path).toBe(true)
      expect(admitted).toContain(path.split('/')[0])
    }
  })

  test('takes nothing from a stage that there is not', () => {
    const names = stages.flatMap((stage) => / AS (\w+)$/.exec(only(stage, 'FROM'))?.[1] ?? [])
    const wanted = stages.flatMap((stage) =>
      allOf(stage, 'COPY').flatMap((text) => /--from=(\w+)/.exec(text)?.[1] ?? []),
    )
    expect(wanted.length).toBeGreaterThan(0)
    expect(names).toEqual(expect.arrayContaining(wanted))
  })

  test('ends in a slim image of the same Node and system as the one that compiled the native module', () => {
    const images = stages.map((stage) => only(stage, 'FROM').replace(/ AS .*/, ''))
    const base = images[0] ?? ''
    expect(images.slice(0, -1).every((image) => image === base)).toBe(true)
    expect(images.at(-1)).toBe(`${base}-slim`)
  })

  test('runs as a user who is not root and owns the data', () => {
    expect(only(last, 'USER')).toBe('node')
    expect(allOf(last, 'COPY')).toContain('--from=production --chown=node:node /data /data')
    expect(only(last, 'VOLUME')).toBe('/data')
  })

  test('listens to all addresses at the port it exposes, and keeps its data in the volume', () => {
    const variables = only(last, 'ENV').split(/ +/)
    expect(variables).toEqual(
      expect.arrayContaining(['HOST=0.0.0.0', 'PORT=4012', 'SIM_DB=/data/suite.sqlite']),
    )
    expect(only(last, 'EXPOSE')).toBe('4012')
  })

  test('starts the server and the health check without a shell, so that signals arrive', () => {
    expect(JSON.parse(only(last, 'CMD'))).toEqual(['node', '/app/dist/main.js', 'serve'])
    expect(only(last, 'HEALTHCHECK')).toMatch(/ CMD \["suite-sim", "healthcheck"\]$/)
    expect(allOf(last, 'ENTRYPOINT')).toEqual([])
  })
})

test('compose.yaml keeps the data in a volume, checks the health and leaves time to stop', () => {
  const compose = readFileSync(join(ROOT, 'compose.yaml'), 'utf8')
  expect(compose).toMatch(/^ {6}- data:\/data$/m)
  expect(compose).toMatch(/^volumes:\n {2}data:$/m)
  expect(compose).toMatch(/^ {6}test: \['CMD', 'suite-sim', 'healthcheck'\]$/m)
  const [, seconds] = /stop_grace_period: (\d+)s/.exec(compose) ?? []
  // An attempt to deliver a webhook may take ten seconds.
  expect(Number(seconds)).toBeGreaterThan(10)
})

test('what the steps of the Dockerfile leave in the image starts, is well, and stops in good order', async () => {
  const image = scratchFolder()
  const app = join(image, 'app')
  const data = join(image, 'data')
  for (const path of copiedFromProject(stages[1] ?? [])) copy(path, app)
  productionInstall(app)
  for (const path of copiedFromProject(last)) copy(path, app)
  copy('dist', app)

  const binary = join(app, 'dist/main.js')
  const variables = { NODE_ENV: 'production', PORT: '0', SIM_DB: join(data, 'suite.sqlite') }
  const server = await start(['serve'], { folder: app, binary, variables })
  expect(await run(['healthcheck', '--url', server.url], { folder: app, binary })).toMatchObject({ code: 0 })
  const headers = { authorization: 'Bearer demo-key' }
  expect((await fetch(`${server.url}/workspace/public/v1/products`, { headers })).status).toBe(200)
  expect(await server.stop('SIGTERM')).toBe(0)
  expect(readdirSync(data)).toEqual(['files', 'suite.sqlite'])
})

function copy(path: string, folder: string): void {
  mkdirSync(folder, { recursive: true })
  cpSync(join(ROOT, path), join(folder, path), { recursive: true })
}

/**
 * `npm ci --omit=dev` but for the compiling of the native module, which takes a minute where no ready-made binary can
 * be had: it is taken from the installation of this checkout.
 */
function productionInstall(app: string): void {
  const { status, stderr } = spawnSync('npm', ['ci', '--omit=dev', '--ignore-scripts', '--prefer-offline'], {
    cwd: app,
    encoding: 'utf8',
  })
  expect(status, stderr).toBe(0)
  const native = 'node_modules/better-sqlite3/build'
  cpSync(join(ROOT, native), join(app, native), { recursive: true })
}
