/** The Java client: compiled by Debian's JDK, and run by its JUnit against real servers. */
import { spawnSync } from 'node:child_process'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sax from 'sax'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  compileJava,
  expectPassed,
  JAVA,
  javaBlocksIn,
  javaFilesIn,
  javaScratch,
  JUNIT,
  runJUnit,
} from '../support/java.ts'
import { runIn } from '../support/packed.ts'
import { BINARY, build, ROOT, scratchFolder, sharedServer, start } from '../support/process.ts'
import { describeWith } from '../support/toolchains.ts'

const TOKEN = 'java-token'
const SUITE = 'dev.suitesimulator.junit5'
const README = join(JAVA, 'README.md')
const ARGUMENTS = ['serve', '--port', '0', '--db', ':memory:']

/** As many threads as `ParallelTest` has repetitions. */
const PARALLEL = [
  '--config=junit.jupiter.execution.parallel.enabled=true',
  '--config=junit.jupiter.execution.parallel.mode.default=concurrent',
  '--config=junit.jupiter.execution.parallel.config.strategy=fixed',
  '--config=junit.jupiter.execution.parallel.config.fixed.parallelism=4',
]

const classOf = (name: string): string => `--select-class=${SUITE}.${name}`

/** The command that starts a simulator, for SUITE_SIM_COMMAND. */
const COMMAND = `"${process.execPath}" "${BINARY}"`

describeWith('Java', 'Java client', () => {
  let main = ''
  let tests = ''

  beforeAll(() => {
    build()
    main = compileJava('main', javaFilesIn(join(JAVA, 'junit5/src/main')), JUNIT)
    tests = compileJava('tests', javaFilesIn(join(JAVA, 'junit5/src/test')), [...JUNIT, main])
  })

  const run = (selection: readonly string[], variables: NodeJS.ProcessEnv) =>
    runJUnit([main, tests], selection, variables)

  test('passes its tests in parallel against one server with a token, and leaves nothing there', async () => {
    const { url } = await start([...ARGUMENTS, '--admin-token', TOKEN], { folder: scratchFolder() })
    const variables = { SUITE_SIM_URL: url, SIM_ADMIN_TOKEN: TOKEN }
    expectPassed(await run(['--scan-classpath', tests, '--details=tree', ...PARALLEL], variables))
    const headers = { authorization: `Bearer ${TOKEN}` }
    const response = await fetch(`${url}/_sim/workspaces`, { headers })
    const { data } = (await response.json()) as { data: { id: string }[] }
    expect(data.map(({ id }) => id)).toEqual(['demo'])
  })

  test('shows the calls, hints and deliveries of a failed test in its stack trace', async () => {
    const { url } = await sharedServer([])
    const { code, stdout, failed } = await run([classOf('FailingExample')], { SUITE_SIM_URL: url })
    expect({ code, failed }, stdout).toEqual({ code: 1, failed: 5 })
    const reports = stdout.split(/^ {2}JUnit Jupiter:/m).slice(1)
    const reportOf = (name: string): string => {
      const report = reports.find((each) => each.startsWith(`FailingExample:${name}`))
      expect(report, stdout).toBeDefined()
      return (report ?? '').replace(/^Test run finished[\s\S]*/m, '')
    }
    const report = reportOf('failsAfterCalls')
    expect(report).toContain('expected: <expected> but was: <actual>')
    expect(report).toMatch(
      new RegExp(
        [
          '       Suppressed: dev.suitesimulator.junit5.SimulatorRecord: Suite Simulator, workspace (\\S+) \\(.+\\):',
          '  Calls:',
          '    POST /pay/v1/payment-links 201',
          '    GET /workspace/public/v1/products/none 404 not_found: .+',
          '  Hints:',
          '    unknown_body_field: createPaymentLink has no field curency\\. It was ignored\\.',
          '(?:    .+\n)*  Deliveries:',
          '    sale.completed to http://127.0.0.1:\\d+/webhooks: delivered, answered 200',
        ].join('\n'),
      ),
    )
    expect(reportOf('Before:neverRuns')).toContain('    GET /crm/v1/deals 200')
    // The failure after the test is another suppressed exception of the same failure.
    expect(reportOf('After:fails').match(/GET \/recruiting\/v1\/vacancies/g)).toHaveLength(1)
    expect(reportOf('failsWithoutAWorkspace')).not.toContain('Suite Simulator')
    expect(reportOf('failsAfterItsWorkspaceWasDeleted')).toMatch(
      /the record of workspace \S+ could not be read: .+/,
    )
    expect(stdout).not.toContain('/crm/v1/contacts')
  })

  test('says that a workspace belongs to one test', async () => {
    const { url } = await sharedServer([])
    const { code, stdout } = await run([classOf('MisplacedExample')], { SUITE_SIM_URL: url })
    expect(code).toBe(1)
    expect(stdout).toContain(
      'A Workspace belongs to one test; take it as a parameter of the test or of a @BeforeEach method',
    )
  })

  test('says which server does not respond', async () => {
    const { code, stdout } = await run([classOf('StartedExample')], { SUITE_SIM_URL: 'http://127.0.0.1:1' })
    expect(code).toBe(1)
    expect(stdout).toContain('No simulator responds at http://127.0.0.1:1/_sim: the connection was refused')
  })

  describe('without SUITE_SIM_URL', () => {
    const expectStartedOne = async (variables: NodeJS.ProcessEnv): Promise<void> => {
      const ended = await run([classOf('StartedExample')], variables)
      expectPassed(ended, 4)
      const [, url = ''] = /^started: (http:\/\/127\.0\.0\.1:\d+)$/m.exec(ended.stdout) ?? []
      expect(url, ended.stdout).not.toBe('')
      await expect(fetch(`${url}/_sim/health`)).rejects.toThrow('fetch failed')
    }

    test('starts one simulator with SUITE_SIM_COMMAND, and stops it after the last test', async () => {
      await expectStartedOne({ SUITE_SIM_COMMAND: COMMAND, SUITE_SIM_URL: '', SIM_ADMIN_TOKEN: TOKEN })
    })

    test('starts suite-sim of the PATH, and stops it with its child processes', async () => {
      const folder = scratchFolder()
      const program = join(folder, 'suite-sim')
      // Not with exec: as with npx, the server is a child of the command.
      writeFileSync(program, `#!/bin/sh\n${COMMAND} "$@"\nexit $?\n`)
      chmodSync(program, 0o755)
      await expectStartedOne({ PATH: `${folder}:${process.env['PATH'] ?? ''}` })
    })

    test('starts only an installed package with npx, and downloads nothing', async () => {
      const folder = scratchFolder()
      const program = join(folder, 'npx')
      const expected = '--offline --no-install suite-sim serve'
      writeFileSync(
        program,
        `#!/bin/sh\n[ "$1 $2 $3 $4" = '${expected}' ] || { echo "npx $*"; exit 1; }\nshift 3\n${COMMAND} "$@"\nexit $?\n`,
      )
      chmodSync(program, 0o755)
      await expectStartedOne({ PATH: folder })
    })

    test('starts one on loopback if the environment has the variables of another server', async () => {
      await expectStartedOne({
        SUITE_SIM_COMMAND: COMMAND,
        HOST: '0.0.0.0',
        SIM_PUBLIC_URL: 'https://simulator.example',
        LOG_LEVEL: 'error',
      })
    })

    test('shows the output of a command that fails', async () => {
      const { code, stdout } = await run([classOf('StartedExample')], {
        SUITE_SIM_COMMAND: `${COMMAND} --unknown-flag`,
      })
      expect(code).toBe(1)
      expect(stdout).toMatch(/main\.js --unknown-flag serve --port 0 --db :memory: ended:\n/)
      expect(stdout).toMatch(/unknown-flag.*\n/)
    })

    test.each([
      [{ SUITE_SIM_COMMAND: 'no-such-program' }, /no-such-program serve .+ failed: .*No such file/],
      [{ PATH: '/nowhere' }, /No simulator found\. Set SUITE_SIM_URL to a running one, or SUITE_SIM_COMMAND/],
    ])('says what to do if %j finds no simulator', async (variables, message) => {
      const { code, stdout } = await run([classOf('StartedExample')], variables)
      expect(code).toBe(1)
      expect(stdout).toMatch(message)
    })
  })

  describe('README', () => {
    const blocks = javaBlocksIn(README)

    test('has code that compiles and runs', async () => {
      expect([...blocks.keys()]).toEqual(['OrdersTest', 'PanamaTest', 'Example', 'ContainerTest'])
      const folder = javaScratch('readme')
      const files = ['OrdersTest', 'PanamaTest', 'Example'].map((name) => {
        const file = join(folder, `${name}.java`)
        writeFileSync(file, blocks.get(name) ?? '')
        return file
      })
      const classes = compileJava('readme-classes', files, [...JUNIT, main])
      const variables = { SUITE_SIM_COMMAND: COMMAND }
      expectPassed(await runJUnit([main, classes], ['--scan-classpath', classes], variables), 4)
      const ended = await runIn(folder, ['java', '-classpath', `${main}:${classes}`, 'Example'], variables)
      expect(ended).toMatchObject({ code: 0, stderr: '' })
      expect(ended.stdout).toMatch(/^\{"data":.+\}\ntimeout: Waited 0 s for 1 deliveries/)
    })

    test('names the current version', () => {
      expect(readFileSync(README, 'utf8')).toContain(`<version>${versionOfPackage()}</version>`)
    })
  })

  test('has a Testcontainers module that compiles against the signatures that it uses', () => {
    const module = join(JAVA, 'testcontainers/src')
    const stubs = compileJava('stubs', javaFilesIn(join(module, 'stubs')), [])
    const file = join(javaScratch('container'), 'ContainerTest.java')
    writeFileSync(file, javaBlocksIn(README).get('ContainerTest') ?? '')
    const files = [...javaFilesIn(join(module, 'main')), ...javaFilesIn(join(module, 'test')), file]
    compileJava('testcontainers', files, [...JUNIT, main, stubs])
  })

  const hasMaven = spawnSync('mvn', ['--version']).status === 0
  if (!hasMaven)
    process.stderr.write('No Maven found: the Maven project of the Java client was not validated.\n')

  test.skipIf(!hasMaven)('has a Maven project that Maven accepts', async () => {
    const repository = `-Dmaven.repo.local=${scratchFolder()}`
    const { code, stdout, stderr } = await runIn(JAVA, [
      'mvn',
      '--offline',
      '--quiet',
      repository,
      'validate',
    ])
    expect(code, stdout + stderr).toBe(0)
  })
})

const versionOfPackage = (): string =>
  (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }).version

test.each(['pom.xml', 'junit5/pom.xml', 'testcontainers/pom.xml'])(
  '%s is well-formed and has the version of the package',
  (name) => {
    const versions: string[] = []
    const path: string[] = []
    const parser = sax.parser(true)
    parser.onopentag = ({ name: tag }) => void path.push(tag)
    parser.onclosetag = () => void path.pop()
    parser.ontext = (text) => {
      if (/^project\/(?:parent\/)?version$/.test(path.join('/'))) versions.push(text)
    }
    parser.write(readFileSync(join(JAVA, name), 'utf8')).close()
    expect(versions).toEqual([versionOfPackage()])
  },
)

test('has a method for every operation of the control plane', () => {
  const sources = javaFilesIn(join(JAVA, 'junit5/src/main')).map((file) => readFileSync(file, 'utf8'))
  const operations = sources.find((text) => text.includes('public enum Operation {')) ?? ''
  const names = [...operations.matchAll(/^ {2}(\w+)\("/gm)].map(([, name = '']) => name)
  const without = names.filter((name) => !sources.some((text) => text.includes(`Operation.${name},`)))
  expect(names).toContain('GET_CLOCK')
  // `call()` can make these.
  expect(without).toEqual(['LIST_KEYS', 'DELETE_KEY', 'GET_DOCS_PAGE', 'GET_DASHBOARD', 'RECEIVE_WEBHOOK'])
})

test('has no line of Java with more than 110 characters', () => {
  const long = javaFilesIn(JAVA).flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line.length > 110)
      .map((line) => `${file}: ${line}`),
  )
  expect(long).toEqual([])
})
