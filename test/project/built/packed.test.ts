/** The content of the package, and its imports in projects of every kind. */
import { mkdirSync, copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { beforeAll, describe, expect, test } from 'vitest'
import * as library from '@suite-sim/library/index'
import { INTERFACE_NAMES } from '@suite-sim/kit/interfaceNames'
import { complaintsOf, packedPackage, projectWith, runIn } from '../../support/packed.ts'
import { buildGuide, scratchFolder } from '../../support/process.ts'

const MEBIBYTE = 1_048_576

beforeAll(buildGuide)

describe('package', () => {
  test('contains the program and its documentation, and no sources', () => {
    const paths = packedPackage().files.map(({ path }) => path)
    expect(paths).toEqual(
      expect.arrayContaining([
        ...['dist/main.js', 'dist/suite-sim.cjs', 'fixtures/demo/catalog.json', 'package.json', 'README.md'],
        ...['dist/index.js', 'dist/index.cjs', 'dist/index.d.ts', 'dist/index.d.cts'],
        ...['dist/testing/vitest.js', 'dist/testing/vitest.d.ts', 'dist/library/generated/control.d.ts'],
        ...[
          'vitestSetup.js',
          'jest.cjs',
          'jest.d.cts',
          'jestSetup.cjs',
          'jestTeardown.cjs',
          'playwright.js',
        ].map((name) => `dist/testing/${name}`),
        ...INTERFACE_NAMES.map((name) => `dist/interfaces/${name}.d.cts`),
        ...['dist/guide/index.html', 'dist/guide/404.html', 'dist/guide/recipes.html'],
        ...INTERFACE_NAMES.map((name) => `dist/guide/reference/${name}.html`),
      ]),
    )
    const folders = new Set(paths.map((path) => path.split('/')[0]))
    expect([...folders].sort()).toEqual(['README.md', 'dist', 'fixtures', 'package.json', 'tasks'])
    expect(paths.filter((path) => /\.test\.|_snapshot\.json$|\.\d+$/.test(path))).toEqual([])
  })

  test('stays small', () => {
    const { files, size, unpackedSize } = packedPackage()
    expect(size).toBeLessThan(9 * MEBIBYTE)
    expect(unpackedSize).toBeLessThan(32 * MEBIBYTE)
    const sizeOf = (pattern: RegExp): number =>
      files.filter(({ path }) => pattern.test(path)).reduce((sum, each) => sum + each.size, 0)
    expect(sizeOf(/^dist\/interfaces\//)).toBeLessThan(MEBIBYTE)
    expect(sizeOf(/^dist\/guide\//)).toBeLessThan(9 * MEBIBYTE)
    expect(sizeOf(/^dist\/index\.js$/)).toBeLessThan(80 * 1024)
    expect(sizeOf(/^dist\/testing\/vitest\.js$/)).toBeLessThan(48 * 1024)
  })
})

/** The output of each kind of module that uses the package. */
const USES = `
  const simulator = await startSimulator()
  const { exam, grade, prepareTask } = library
  const wrong = await exam({ receiver: 'x' }).catch((error) => error instanceof TypeError && error.message)
  const run = await prepareTask(simulator, 'raise-furniture-prices')
  const { passed, findings } = await grade(run.workspace, run.task)
  const invalid = await run.workspace.delete().then(() => run.grade()).catch(({ code }) => code)
  const stopped = await exam({ receiver: simulator.url }, { signal: AbortSignal.abort(7) }).catch((reason) => reason)
  const workspace = await simulator.workspaces.create({ fixtures: 'small' })
  const { status } = await workspace.fetch('catalog', '/products')
  const again = await connect(simulator.url)
  const found = await again.workspaces.get(workspace.id)
  const refused = await found.clock.advance('soon').catch((error) => error instanceof SimulatorError && error.code)
  await simulator.close()
  const kinds = findings.map(({ kind }) => kind)
  const tools = { wrong, passed, kinds, invalid, stopped }
  console.log(JSON.stringify({ status, same: found.key === workspace.key, refused, tools, names }))
`
const PRINTS = {
  status: 200,
  same: true,
  refused: 'validation_error',
  tools: {
    wrong: 'exam(): receiver must be a URL that starts with http:// or https://',
    passed: false,
    kinds: ['missing', 'missing', 'answer'],
    invalid: 'grade_failed',
    stopped: 7,
  },
  names: Object.keys(library).sort(),
}

describe('project', () => {
  test.each([
    [
      'a.mjs',
      `import * as library from 'suite-simulator'
       const { connect, startSimulator, SimulatorError } = library
       const names = Object.keys(library).sort()
       ${USES}`,
    ],
    [
      'a.cjs',
      `const library = require('suite-simulator')
       const { connect, startSimulator, SimulatorError } = library
       const names = Object.keys(library).sort()
       ;(async () => {${USES}})()`,
    ],
  ])('imports it from %s', async (name, source) => {
    const folder = projectWith()
    writeFileSync(join(folder, name), source)
    const { code, stdout, stderr } = await runIn(folder, [process.execPath, name])
    expect([code, stderr]).toEqual([0, ''])
    expect(JSON.parse(stdout)).toEqual(PRINTS)
  })

  test('has one simulator per run of Vitest with the global setup, and empty workspaces', async () => {
    const folder = projectWith()
    const source = `import { test } from 'suite-simulator/vitest'
      test('one', async ({ simulator, workspace, expect }) => {
        console.log('URL ' + simulator.url)
        // One that is started in the worker could be closed by it.
        expect('close' in simulator).toBe(false)
        const sections = await workspace.records.sections()
        expect(sections.filter(({ section }) => section === 'catalog.products')).toMatchObject([{ count: 0 }])
      })`
    for (const name of ['a', 'b']) writeFileSync(join(folder, `${name}.test.ts`), source)
    const config = "export default { test: { globalSetup: 'suite-simulator/vitest/setup' } }"
    writeFileSync(join(folder, 'vitest.config.mjs'), config)
    const ended = await runIn(folder, ['npx', 'vitest', 'run', '--pool=forks', '--testTimeout=60000'])
    expect(ended.code, ended.stdout + ended.stderr).toBe(0)
    const urls = [...ended.stdout.matchAll(/URL (http:\S+)/g)].map(([, url]) => url)
    expect([urls.length, new Set(urls).size]).toEqual([2, 1])
  })

  test('connects to a server without loading it', async () => {
    const folder = scratchFolder()
    const [from, to] = [packedPackage().modules, join(folder, 'node_modules')].map((modules) =>
      join(modules, 'suite-simulator'),
    ) as [string, string]
    mkdirSync(join(to, 'dist'), { recursive: true })
    for (const file of ['package.json', 'dist/index.js']) copyFileSync(join(from, file), join(to, file))
    writeFileSync(
      join(folder, 'a.mjs'),
      `import { connect } from 'suite-simulator'
       console.log(await connect('http://127.0.0.1:1').catch(({ code }) => code))`,
    )
    expect(await runIn(folder, [process.execPath, 'a.mjs'])).toMatchObject({
      code: 0,
      stdout: 'unreachable\n',
    })
  })
})

const TYPED = `
  export async function typed(): Promise<void> {
    const simulator: SimulatorClient = await connect('http://127.0.0.1:4012', { adminToken: 'ci' })
    const started = await startSimulator({ seed: 'ci' })
    const key: string | null = started.key
    const workspace = await simulator.workspaces.create({ fixtures: 'demo' })
    const { transaction_id } = await workspace.trigger('payments.link.pay', { link_id: 'pl', outcome: 'failed' })
    const id: string = transaction_id
    // @ts-expect-error: there is no such outcome
    await workspace.trigger('payments.link.pay', { link_id: 'pl', outcome: 'lost' })
    // @ts-expect-error: a link is needed
    await workspace.trigger('payments.link.pay')
    const code = await workspace.trigger('signage.pairing_code.issue')
    const shown: string = code.pairing_code
    const [delivery] = await workspace.deliveries.wait({ event: 'sale.completed', interface: 'pos', count: 2 })
    const status: 'pending' | 'delivered' | 'dead' | undefined = delivery?.status
    // @ts-expect-error: there is no such interface
    await workspace.deliveries.list({ interface: 'shop' })
    // @ts-expect-error: there is no such set of records
    await workspace.records.list('payments.link')
    for await (const item of workspace.stream()) console.log(item.kind, key, id, shown, status)
    // Editors offer the names of events and sections: a plain string has no such member.
    const fault = await workspace.faults.add({ interface: 'pos', event: 'sale.completed', status: 503 })
    const { data: hits } = await workspace.search('Ana')
    const { data: differences } = await workspace.changes()
    type Offered<Name, One extends string> = Extract<Name, One>
    const event: Offered<typeof fault.event, 'sale.completed'> = 'sale.completed'
    const examined: Offered<NonNullable<ExamOptions['events']>[number], 'sale.completed'> = event
    const hit: Offered<(typeof hits)[number]['section'], 'crm.contacts'> = 'crm.contacts'
    const section: Offered<(typeof differences)[number]['section'], 'crm.contacts'> = hit
    console.log(event, examined, section)
    const { now }: { now: string } = await simulator.call('getClock', { path: { id: workspace.id } })
    // @ts-expect-error: it has to be said of which workspace
    await simulator.call('getClock')
    const receiver = await receiveWebhooks({ secret: 'whsec', answer: ({ attempt }) => (attempt > 1 ? 200 : 503) })
    const { data } = await receiver.next<{ total: number }>({ event: 'sale.completed', timeout: 60 })
    await receiver.subscribe(workspace, { interface: 'pos', events: ['sale.completed'] })
    // @ts-expect-error: its address is known
    await receiver.subscribe(workspace, { interface: 'pos', url: 'http://127.0.0.1' })
    const { result, properties } = await exam(
      { receiver: receiver.url, interface: 'pos', observe: workspace, timeout: 5 },
      { onProgress: ({ property, done }) => console.log(property, done), signal: AbortSignal.timeout(1) },
    )
    const exam_grade: 'pass' | 'fail' | 'not judged' | undefined = properties[0]?.grade
    // @ts-expect-error: there is no such interface
    await exam({ receiver: receiver.url, interface: 'shop' })
    const { questions } = await reportRun([workspace], { exams: [await exam({ receiver: receiver.url })] })
    const question: Question | undefined = questions[0]
    const cost: 'money' | 'fiscal' | 'security' | 'state' | 'data' | 'wording' | undefined = question?.cost
    // @ts-expect-error: a simulator is no workspace
    console.log(cost, await reportRun(simulator))
    await using run: TaskRun = await prepareTask(simulator, 'refund-second-payment')
    const grades: Grade[] = [await run.grade({ answer: run.instruction }), await grade(run.workspace, run.task)]
    const finding: Finding | undefined = grades[0]?.findings[0]
    const kind: 'missing' | 'wrong' | 'unwanted' | 'forbidden' | 'call' | 'email' | 'answer' | 'budget' =
      finding?.kind ?? 'budget'
    const { command, args, env }: { command: string; args: readonly string[]; env: object } = run.mcp
    // @ts-expect-error: a task has a budget
    await prepareTask(simulator, { title: 'Tag Ana' })
    console.log(result, exam_grade, kind, finding?.causes[0]?.title, command, args, env)
    if (now === String(data.total)) throw new SimulatorError({ code: 'odd', message: 'odd' })
  }
  type Link = NonNullable<Payments.components['schemas']>
  export const links = (all: Link): Link => all
  export type Paths = keyof Payments.paths
  const path: Paths = '/payment-links'
  console.log(path)
`

const JEST_TYPED = `import { any, test, testWith, type ExpectedChanges } from 'suite-simulator/jest'
  import setup, { setupWith } from 'suite-simulator/jest/setup'
  import teardown from 'suite-simulator/jest/teardown'
  test('one', async ({ simulator, workspace, webhooks }) => {
    await webhooks.subscribe(workspace, { interface: 'pos' })
    console.log(simulator.url)
    const expected: ExpectedChanges = { 'crm.contacts': { changed: [{ id: any(), tags: [] }] } }
    // The part of @types/jest that this project does not install.
    await ({} as jest.Matchers<void, typeof workspace>).toHaveChanged(expected, { section: 'crm' })
  })
  test.each([['PAB', 1]])('%s', (currency, count, { workspace }) => {
    const text: string = currency
    const number: number = count
    console.log(text, number, workspace.id)
  })
  testWith({ onUnhandledRequest: 'error' }).only('two', () => {})
  // @ts-expect-error: there is no such mode
  testWith({ onUnhandledRequest: 'fail' })
  const runs: (() => Promise<void>)[] = [setup, setupWith({ seed: 'ci' }), teardown]
  console.log(runs)`

const PLAYWRIGHT_TYPED = `import { any, expect, test } from 'suite-simulator/playwright'
  test.use({ workspaceOptions: { fixtures: 'demo' }, onUnhandledRequest: 'error' })
  test('one', async ({ page, simulator, workspace, webhooks }) => {
    await webhooks.subscribe(workspace, { interface: 'pos' })
    await page.goto(workspace.urlOf('payments'))
    expect(simulator.url).toBe(page.url())
    await expect(workspace).toHaveChanged({ 'crm.contacts': { added: [{ id: any() }] } }, { ignore: ['pos'] })
    await expect(workspace).not.toHaveChanged()
  })`

const NAMES = `connect, exam, grade, prepareTask, receiveWebhooks, reportRun, startSimulator, SimulatorError,
  type ExamOptions, type Question, type Finding, type Grade, type SimulatorClient, type TaskRun`

describe('types', () => {
  test.each([
    ['node16', { module: ts.ModuleKind.Node16, moduleResolution: ts.ModuleResolutionKind.Node16 }],
    ['nodenext', { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext }],
    ['bundler', { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler }],
  ])('compile in a project of %s', (kind, options) => {
    const source = `import { ${NAMES} } from 'suite-simulator'
      import type * as Payments from 'suite-simulator/interfaces/payments'
      ${TYPED}`
    const files = {
      'a.mts': source,
      ...(kind !== 'bundler' && { 'a.cts': source }),
      'every.mts': [...INTERFACE_NAMES, 'control']
        .map(
          (name, index) =>
            `export type { paths as paths${String(index)} } from 'suite-simulator/interfaces/${name}'`,
        )
        .join('\n'),
      'a.test.mts': `import { any, test, testWith, type ExpectedChanges } from 'suite-simulator/vitest'
        test('one', async ({ simulator, workspace, webhooks, expect }) => {
          await webhooks.subscribe(workspace, { interface: 'pos' })
          expect(simulator.url).toMatch(workspace.urlOf('pos'))
          const expected: ExpectedChanges = { 'crm.contacts': { added: [{ id: any() }], removed: 1 } }
          await expect(workspace).toHaveChanged(expected, { from: 'before' })
          await expect(workspace).not.toHaveChanged()
          // @ts-expect-error: there is no such section
          await expect(workspace).toHaveChanged({ 'crm.contact': { added: 1 } })
          // @ts-expect-error: there is no such change
          await expect(workspace).toHaveChanged({ 'crm.contacts': { created: 1 } })
          // @ts-expect-error: not a workspace
          await expect(simulator).toHaveChanged()
        })
        testWith({ seed: 'ci' }).override({ workspaceOptions: { fixtures: 'none' } })`,
      'b.test.mts': JEST_TYPED,
      'c.spec.mts': PLAYWRIGHT_TYPED,
      ...(kind !== 'bundler' && { 'b.test.cts': JEST_TYPED, 'c.spec.cts': PLAYWRIGHT_TYPED }),
      'setup.mts': `import setup, { setupWith } from 'suite-simulator/vitest/setup'
        import { defineConfig } from 'vitest/config'
        export default setupWith({ seed: 'ci', logLevel: 'warn' })
        export const same: typeof setup = setupWith()
        export const config = defineConfig({ test: { globalSetup: 'suite-simulator/vitest/setup' } })`,
    }
    const folder = projectWith()
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
    expect(complaintsOf(folder, Object.keys(files), options)).toEqual([])
  })
})
