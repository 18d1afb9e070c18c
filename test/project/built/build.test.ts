/** The build: the bundle means the same as the sources, and evaluates little of them at start. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runIn } from '../../support/packed.ts'
import { ROOT } from '../../support/process.ts'
import { loadBuilt } from '../../support/subject.ts'

/** The modules of src/ that were evaluated after `act` in a newly loaded bundle. */
const evaluatedBy = (act: (app: Awaited<ReturnType<typeof builtApp>>) => Promise<void>) =>
  evaluatedIn(async () => {
    await act(await builtApp())
  })

async function evaluatedIn(act: () => Promise<void>) {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  await act()
  const { result } = await session.post('Profiler.takePreciseCoverage')
  session.disconnect()
  // The bundle wraps each module in a function named after its file.
  const functions = result
    .filter(({ url }) => url.endsWith('suite-sim.cjs'))
    .flatMap((each) => each.functions)
  return functions
    .filter(
      ({ functionName, ranges }) => /^(?:src|packages)\//.test(functionName) && (ranges[0]?.count ?? 0) > 0,
    )
    .map(({ functionName }) => functionName)
}

const builtApp = async () => (await loadBuilt()).exports.app()

/**
 * The modules of an interface that are needed before its first call: its definition, and how requests are read and events
 * are shown and pushed.
 */
const AT_START =
  /^src\/interfaces\/[\w-]+\/(index|events|views|addresses|shapes\/\w+|normalizeClientRequest|flatBody|pushing|widgetAddress)\.ts$/

describe('start', () => {
  test('uses the cached machine code of the build', async () => {
    const { script } = await loadBuilt()
    expect(script.cachedDataRejected).toBe(false)
  })

  test('evaluates only the names, records, views and shapes of each interface', async () => {
    const evaluated = await evaluatedBy(async ({ buildApp }) => {
      const app = await buildApp({ fixtures: 'demo' })
      await app.fastify.ready()
      await app.close()
    })
    expect(evaluated).toContain('src/app.ts')
    const spoken = evaluated.filter((name) => /^src\/(interfaces|control|http)\//.test(name))
    const entries = spoken.filter((name) => AT_START.test(name))
    expect(entries.filter((name) => name.endsWith('/index.ts')).length).toBeGreaterThan(4)
    // The others define the control plane, create shapes and file links, load the demo data and dispatch requests.
    expect(spoken.filter((name) => !entries.includes(name)).sort()).toEqual([
      'src/control/access/access.ts',
      'src/control/access/audit.ts',
      'src/control/index.ts',
      'src/control/snapshots/builtIn/baselines.ts',
      'src/control/snapshots/builtIn/demoDates.ts',
      'src/control/snapshots/builtIn/fixtures.ts',
      'src/control/snapshots/builtIn/image.ts',
      'src/control/snapshots/snapshot.ts',
      'src/control/workspaces/removal.ts',
      'src/http/files/fileLinks.ts',
      'src/http/files/heavyWork/index.ts',
      'src/http/schemas/schemas.ts',
      'src/http/schemas/wireShapes.ts',
      'src/http/server/clientErrors.ts',
      'src/http/server/connections.ts',
      'src/http/server/logging/requestDurations.ts',
      'src/http/server/logging/requestId.ts',
      'src/http/server/parts.ts',
      'src/http/server/requestChecks.ts',
      'src/http/server/server.ts',
      'src/http/server/upgrades.ts',
      'src/http/shapes/fields.ts',
      'src/http/shapes/shape.ts',
    ])
  })

  test('evaluates no command except serve', async () => {
    const evaluated = await evaluatedIn(async () => {
      const { main } = (await loadBuilt()).exports
      const serving = await main(['--db', ':memory:', '--port', '0', '--log-level', 'silent'])
      await serving?.close()
    })
    const ofCommands = /^(?:src\/(?:serve|init)|packages\/(?:cli|client|library|verify|kit\/src\/terminal))\//
    expect(evaluated.filter((name) => ofCommands.test(name)).sort()).toEqual([
      'packages/cli/src/main.ts',
      'packages/cli/src/terminal/names.ts',
      'packages/kit/src/terminal/arguments.ts',
      'packages/kit/src/terminal/flags.ts',
      'packages/kit/src/terminal/help.ts',
      'packages/kit/src/terminal/io.ts',
      'packages/kit/src/terminal/pipes.ts',
      'packages/kit/src/terminal/problem.ts',
      'packages/kit/src/terminal/textFiles.ts',
      'packages/kit/src/terminal/tokenFiles.ts',
      'src/init/isInitFile.ts',
      'src/init/listenWith.ts',
      'src/init/unfinished.ts',
      'src/serve/flags.ts',
      'src/serve/serve.ts',
      'src/serve/serverFile.ts',
    ])
  })

  test('does not contain the library of npm', () => {
    // Long strings span several lines.
    const bundle = readFileSync(join(ROOT, 'dist/suite-sim.cjs'), 'utf8').replaceAll('\\\n', '')
    expect(bundle).toContain('src/app.ts')
    expect(bundle).not.toContain('packages/library')
  })

  test('evaluates no other interface when one is called', async () => {
    const evaluated = await evaluatedBy(async ({ buildApp }) => {
      const app = await buildApp({ fixtures: 'demo' })
      await app.fastify.inject('/pos/public/v1/webhooks')
      await app.close()
    })
    expect(evaluated).toContain('src/interfaces/pos/webhooks.ts')
    const others = evaluated.filter((name) => /^src\/interfaces\/(?!pos\/)[\w-]+\//.test(name))
    expect(others.filter((name) => !AT_START.test(name))).toEqual([])
  })
})

test('a process that has deleted workspaces ends when it has closed the app', async () => {
  const script = `
    const { load } = await import(${JSON.stringify(join(ROOT, 'dist/load.js'))})
    const { buildApp } = await load().exports.app()
    const { fastify, close } = await buildApp()
    for (let count = 0; count < 3; count++) {
      const made = await fastify.inject({ method: 'POST', url: '/_sim/workspaces', payload: { fixtures: 'demo' } })
      await fastify.inject({ method: 'DELETE', url: '/_sim/workspaces/' + made.json().workspace.id })
    }
    await close()
  `
  const ended = await runIn(ROOT, [process.execPath, '--input-type=module', '--eval', script])
  expect(ended).toMatchObject({ code: 0, stderr: '' })
})

test('every user can read what the build writes, as one of a container that did not build it', () => {
  const dist = join(ROOT, 'dist')
  const names = readdirSync(dist, { recursive: true, encoding: 'utf8' })
  expect(names).toContain('demo.sqlite')
  const closed = names.filter((name) => (statSync(join(dist, name)).mode & 0o044) !== 0o044)
  expect(closed).toEqual([])
})
