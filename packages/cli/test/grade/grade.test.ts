/** `suite-sim grade`: prepares a workspace for an agent, and grades what the agent did. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { freshApp } from '../../../../test/support/app.ts'
import { runHere } from '../../../../test/support/commandLine.ts'
import { listenTo } from '../../../../test/support/payers.ts'
import { build, run, scratchFolder } from '../../../../test/support/process.ts'
import { ROOT } from '../../../../test/support/root.ts'

const TASK = join(ROOT, 'tasks/raise-furniture-prices.yaml')

interface Prepared {
  readonly workspace: string
  readonly key: string
  readonly controlToken: string
  readonly instruction: string
  readonly mcp: { readonly command: string; readonly args: readonly string[]; readonly env: object }
  readonly grade: readonly string[]
}

interface Grade {
  readonly passed: boolean
  readonly calls: number
  readonly findings: readonly {
    readonly kind: string
    readonly message: string
    readonly causes: readonly object[]
  }[]
}

async function grader() {
  const url = await listenTo(await freshApp())
  const folder = scratchFolder()
  const sim = (...args: string[]) => runHere(args, { folder, variables: { SIM_URL: url } })
  const prepare = async (task = TASK): Promise<Prepared> => {
    const { code, stdout, stderr } = await sim('grade', task, '--prepare')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    return JSON.parse(stdout) as Prepared
  }
  /** A call as the agent makes it. */
  const agent = async ({ key }: Prepared, method: string, path: string, body?: object) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    return response.status
  }
  const PRODUCTS = '/workspace/public/v1/products'
  const price = (prepared: Prepared, number: number, basePrice: string) =>
    agent(prepared, 'PUT', `${PRODUCTS}/demo-product-0000000${String(number)}`, { basePrice })
  /** Does the task as its reference does. */
  const solve = async (prepared: Prepared) => {
    await price(prepared, 1, '508.56')
    await price(prepared, 2, '290.68')
    writeFileSync(join(folder, 'answer.txt'), 'DSK-001: 508.56\nCHR-010: 290.68')
  }
  const control = async <Body>(path: string) => (await (await fetch(`${url}/_sim${path}`)).json()) as Body
  return { url, folder, sim, prepare, agent, price, solve, control }
}

describe('--prepare', () => {
  test('makes a workspace at the time of the task, in which nothing has changed', async () => {
    const { prepare, control } = await grader()
    const { workspace, instruction } = await prepare()
    expect(await control(`/workspaces/${workspace}/clock`)).toEqual({
      now: '2026-11-24T15:00:00.000Z',
      frozen: true,
    })
    expect(await control(`/workspaces/${workspace}/diff`)).toMatchObject({
      summary: { added: 0, changed: 0, removed: 0 },
    })
    expect(await control(`/workspaces/${workspace}/requests`)).toEqual({ data: [] })
    expect(await control(`/workspaces/${workspace}`)).toMatchObject({
      name: 'Almendro Office Furnishing',
      labels: { task: 'raise-furniture-prices' },
      ttl: 'P7D',
      timezone: 'America/Panama',
    })
    expect(instruction).toContain('by 4 percent')
  })

  test('leaves one workspace, with one key that has only what the task allows', async () => {
    const { prepare, agent, control } = await grader()
    const before = await control<{ data: object[] }>('/workspaces')
    const prepared = await prepare()
    const after = await control<{ data: object[] }>('/workspaces')
    expect(after.data).toHaveLength(before.data.length + 1)
    const { data } = await control<{ data: object[] }>(`/workspaces/${prepared.workspace}/keys`)
    expect(data).toMatchObject([
      {
        key: prepared.key,
        userId: 'demo-user-00000000001',
        scopes: ['products:read', 'products:update'],
        interfaces: ['catalog'],
      },
    ])
    expect(await agent(prepared, 'GET', '/workspace/public/v1/products')).toBe(200)
    expect(await agent(prepared, 'DELETE', '/workspace/public/v1/products/demo-product-00000001')).toBe(403)
    expect(await agent(prepared, 'GET', '/crm/v1/deals')).toBeGreaterThanOrEqual(401)
  })

  test('prints how an agent is connected, and how it is graded', async () => {
    const { prepare, sim, solve, url } = await grader()
    const prepared = await prepare()
    const { workspace, controlToken, mcp, grade } = prepared
    expect(mcp).toEqual({
      command: 'suite-sim',
      args: [
        ...['mcp', '--url', url, '--workspace', workspace, '--tools', 'search', '--interface', 'catalog'],
        ...['--scopes', 'products:read,products:update'],
      ],
      env: { SIM_ADMIN_TOKEN: controlToken },
    })
    await solve(prepared)
    const [, ...args] = grade
    expect(await sim(...args, '--answer', 'answer.txt')).toMatchObject({ code: 0, stderr: '' })
  })

  test('leaves no workspace if the setup fails', async () => {
    const { sim, control, folder } = await grader()
    const before = await control<{ data: object[] }>('/workspaces')
    const broken = readFileSync(TASK, 'utf8').replace(
      'interfaces:',
      'setup:\n  - { interface: catalog, method: GET, path: /products/none }\ninterfaces:',
    )
    writeFileSync(join(folder, 'broken.yaml'), broken)
    const { code, stderr } = await sim('grade', 'broken.yaml', '--prepare')
    expect(code).toBe(2)
    expect(stderr).toContain('step 1 failed: GET /products/none answered 404')
    expect(await control('/workspaces')).toEqual(before)
  })
})

describe('a workspace', () => {
  test('passes if exactly the expected changes happened', async () => {
    const { sim, prepare, solve } = await grader()
    const prepared = await prepare()
    await solve(prepared)
    const { code, stdout } = await sim(
      'grade',
      TASK,
      '--workspace',
      prepared.workspace,
      '--answer',
      'answer.txt',
    )
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual({
      task: 'raise-furniture-prices',
      workspace: prepared.workspace,
      passed: true,
      calls: 2,
      budget: 12,
      findings: [],
    })
  })

  test('passes after a write that changed nothing', async () => {
    const { sim, prepare, solve, price } = await grader()
    const prepared = await prepare()
    await solve(prepared)
    await price(prepared, 3, '39.90')
    const { code } = await sim('grade', TASK, '--workspace', prepared.workspace, '--answer', 'answer.txt')
    expect(code).toBe(0)
  })

  test('fails with what is missing, wrong and unwanted, each with its cause', async () => {
    const { sim, prepare, agent, price } = await grader()
    const prepared = await prepare()
    await price(prepared, 1, '508.50')
    await price(prepared, 3, '41.50')
    expect(
      await agent(prepared, 'PUT', '/workspace/public/v1/products/demo-product-00000002', { name: '' }),
    ).toBe(400)
    const args = ['grade', TASK, '--workspace', prepared.workspace]
    const { code, stdout, stderr } = await sim(...args, '--report', 'text')
    expect(code).toBe(1)
    expect(stderr).toBe('suite-sim: the task is not solved: 4 findings\n')
    expect(stdout.replaceAll(/req_\d+/g, 'req_N')).toBe(`fail raise-furniture-prices, 3 of 12 calls
  wrong: catalog.products demo-product-00000001: basePrice must be "508.56", but is "508.50"
    by PUT /workspace/public/v1/products/demo-product-00000001 200 (req_N)
  missing: no catalog.products was changed with id "demo-product-00000002", basePrice "290.68"
    by PUT /workspace/public/v1/products/demo-product-00000002 400 (req_N)
  unwanted: changed catalog.products demo-product-00000003: basePrice "39.90" → "41.50"
    by PUT /workspace/public/v1/products/demo-product-00000003 200 (req_N)
  answer: the final answer is missing; pass it with --answer
`)
    const json = await sim(...args)
    const grade = JSON.parse(json.stdout) as Grade
    expect(grade).toMatchObject({ passed: false, calls: 3 })
    expect(grade.findings[0]).toMatchObject({
      kind: 'wrong',
      section: 'catalog.products',
      id: 'demo-product-00000001',
      field: 'basePrice',
      expected: '508.56',
      actual: '508.50',
      causes: [{ kind: 'request' }],
    })
  })

  test('is graded again after more calls', async () => {
    const { sim, prepare, price, solve } = await grader()
    const prepared = await prepare()
    await solve(prepared)
    await price(prepared, 5, '1300.00')
    const args = ['grade', TASK, '--workspace', prepared.workspace, '--answer', 'answer.txt']
    expect((await sim(...args)).code).toBe(1)
    await price(prepared, 5, '1250.00')
    expect((await sim(...args)).code).toBe(0)
  })

  test('is reported as JUnit, with a case for each kind of finding', async () => {
    const { sim, prepare } = await grader()
    const { workspace } = await prepare()
    const { code, stdout } = await sim('grade', TASK, '--workspace', workspace, '--report', 'junit')
    expect(code).toBe(1)
    expect(stdout).toContain('<testsuite name="raise-furniture-prices" tests="8" failures="2" errors="0">')
    expect(stdout).toContain('<testcase classname="raise-furniture-prices" name="unwanted" time="0"/>')
    expect(stdout).toContain(
      '<failure type="missing" message="missing: no catalog.products was changed with id &quot;demo-product-00000001&quot;, basePrice &quot;508.56&quot;">',
    )
  })

  test('fails if the answer lacks a text, and passes with other text around it', async () => {
    const { sim, prepare, solve, folder } = await grader()
    const prepared = await prepare()
    await solve(prepared)
    const args = ['grade', TASK, '--workspace', prepared.workspace, '--answer', 'other.txt']
    writeFileSync(join(folder, 'other.txt'), 'The desk costs:\n- dsk-001: 508.56 USD')
    const { findings } = JSON.parse((await sim(...args)).stdout) as Grade
    expect(findings.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^the final answer must match .*CHR-010/),
    ])
    writeFileSync(join(folder, 'other.txt'), 'DSK-001: 508.56\n**chr-010**: $290.68'.padEnd(1_000_000))
    expect((await sim(...args)).code).toBe(0)
    writeFileSync(join(folder, 'other.txt'), 'x'.repeat(1_000_001))
    expect(await sim(...args)).toMatchObject({ code: 2, stderr: expect.stringContaining('at most 1000000') })
  })
})

describe('exit code 2', () => {
  test.each([
    [['grade'], 'grade must have a TASK'],
    [['grade', TASK], 'grade must have --workspace, --prepare or --self-test'],
    [
      ['grade', 'raise-furnitur-prices', '--prepare'],
      'there is no task raise-furnitur-prices; did you mean raise-furniture-prices?',
    ],
    [['grade', 'nothing-like-it', '--prepare'], 'suite-sim grade --list lists the tasks'],
    [['grade', join(ROOT, 'tasks'), '--prepare'], 'a folder can only be used with --self-test'],
    [['grade', TASK, '--workspace', 'none'], 'There is no workspace none.'],
    [
      ['grade', TASK, '--workspace', 'none', '--answer', 'none.txt'],
      '--answer: cannot read none.txt: the file does not exist',
    ],
    [['grade', TASK, '--prepare', '--url', 'http://127.0.0.1:1'], 'http://127.0.0.1:1 does not respond'],
    [['grade', TASK, '--report', 'xml'], 'Allowed choices are text, json, junit'],
    [['grade', TASK, '--prepare', '--self-test'], "cannot be used with option '--prepare'"],
    [['grade', TASK, '--prepare', '--answer', 'x'], "cannot be used with option '--answer"],
    [['grade', '/dev/zero', '--prepare'], 'TASK: /dev/zero must have at most 262144 bytes'],
  ])('ends %j', async (args, message) => {
    const { sim } = await grader()
    expect(await sim(...args)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(message),
    })
  })

  test('ends the grading of a workspace of another task', async () => {
    const { sim, prepare } = await grader()
    const { workspace } = await prepare()
    const { code, stderr } = await sim('grade', 'hand-over-deals', '--workspace', workspace)
    expect(code).toBe(2)
    expect(stderr).toContain('was prepared for the task raise-furniture-prices, not hand-over-deals')
  })

  test.each([
    [
      'section: catalog.products',
      'section: catalog.product',
      'there is no section catalog.product; did you mean catalog.products?',
    ],
    [
      'answer:',
      'calls: [{ interface: catalog, operation: updateProdukt }]\nanswer:',
      'there is no operation of catalog updateProdukt; did you mean updateProduct?',
    ],
    ['interfaces:', 'user: nobody\ninterfaces:', 'user must be a user of the fixture: demo-user-00000000001'],
    ['fixture: small', 'fixture: none.json', 'none.json: the file does not exist'],
  ])('ends the preparation of a task with a name that does not exist: %s', async (part, by, message) => {
    const { sim, folder } = await grader()
    writeFileSync(join(folder, 'task.yaml'), readFileSync(TASK, 'utf8').replace(part, by))
    expect(await sim('grade', 'task.yaml', '--prepare')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(message),
    })
  })
})

describe('--self-test', () => {
  test('runs the reference and the saboteurs, or one of them', async () => {
    const { sim } = await grader()
    const runs = async (flag: string) => {
      const { code, stdout } = await sim('grade', TASK, flag)
      expect(code).toBe(0)
      return (JSON.parse(stdout) as { trials: { run: string }[] }).trials.map(({ run }) => run)
    }
    const saboteurs = await runs('--saboteurs')
    expect(await runs('--reference')).toEqual(['reference'])
    expect(await runs('--self-test')).toEqual(['reference', ...saboteurs])
  })

  test('ends with 1 if a saboteur passes, or fails for another reason', async () => {
    const { sim, folder, control } = await grader()
    const before = await control('/workspaces')
    const harmless = readFileSync(TASK, 'utf8').replace(
      "body: { basePrice: '1300.00' }",
      "body: { basePrice: '1250.00' }",
    )
    expect(harmless).not.toBe(readFileSync(TASK, 'utf8'))
    writeFileSync(join(folder, 'harmless.yaml'), harmless.replace('field: taxRate', 'field: name'))
    const { code, stdout, stderr } = await sim('grade', folder, '--self-test', '--report', 'text')
    expect(code).toBe(1)
    expect(stderr).toBe('suite-sim: 2 of 7 runs are not as the tasks say\n')
    expect(stdout).toContain('fail harmless: raises the price of a draft\n  it passes\n')
    expect(stdout).toContain(
      'it fails for another reason: unwanted: catalog.products demo-product-00000002: taxRate must stay "7.00", but is "7.50"',
    )
    const junit = await sim('grade', folder, '--saboteurs', '--report', 'junit')
    expect(junit.stdout).toContain('<testsuite name="harmless" tests="6" failures="2" errors="0">')
    expect(await control('/workspaces')).toEqual(before)
  })

  test('ends with 2 if a reference is refused', async () => {
    const { sim, folder } = await grader()
    const text = readFileSync(TASK, 'utf8').replace(
      "['products:read', 'products:update']",
      "['products:read']",
    )
    writeFileSync(join(folder, 'refused.yaml'), text)
    const { code, stderr } = await sim('grade', 'refused.yaml', '--reference')
    expect(code).toBe(2)
    expect(stderr).toContain('refused.yaml: step 2 failed: PUT /products/demo-product-00000001 answered 403')
  })
})

test('--list lists the tasks of the package', async () => {
  const { sim } = await grader()
  const { data } = JSON.parse((await sim('grade', '--list')).stdout) as { data: object[] }
  expect(data).toHaveLength(20)
  expect(data).toContainEqual(
    expect.objectContaining({ name: 'refund-second-payment', interfaces: ['payments'] }),
  )
})

describe('as a process', () => {
  beforeAll(build)

  test('reads the answer from standard input, and ends with 1', async () => {
    const { prepare, url } = await grader()
    const { workspace } = await prepare()
    const { code, stdout, stderr } = await run(
      ['grade', 'raise-furniture-prices', '--workspace', workspace, '--answer', '-'],
      {
        folder: scratchFolder(),
        variables: { SIM_URL: url },
        input: 'CHR-010: 290.68\nDSK-001: 508.56',
      },
    )
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'suite-sim: the task is not solved: 2 findings\n',
    })
    expect((JSON.parse(stdout) as Grade).findings.map(({ kind }) => kind)).toEqual(['missing', 'missing'])
  })
})
