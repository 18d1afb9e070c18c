/** The scenarios as data: they cover the operations that write, and keep to names, addresses and confirmations. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { INTERFACE_NAMES } from '@suite-sim/kit/interfaceNames'
import { Reference, type PublishedInterface } from '../../src/reference.ts'
import { SCENARIOS } from '../../src/write/scenarios/index.ts'
import { startReference } from '../../../mutate/test/drift/baselines.ts'

let reference: Reference
let published: readonly PublishedInterface[]

beforeAll(async () => {
  reference = await Reference.start(startReference)
  published = await Promise.all(INTERFACE_NAMES.map((name) => reference.published(name)))
})

afterAll(() => reference.close())

const stepsOf = (name: (typeof INTERFACE_NAMES)[number]) =>
  SCENARIOS[name].scenarios.flatMap((scenario) => scenario.steps.map((step) => ({ scenario, step })))

describe.each(INTERFACE_NAMES)('the scenarios of %s', (name) => {
  const operations = () => published.find((each) => each.name === name)?.operations ?? []

  test('call each operation that writes, or say why not', () => {
    const called = new Set(stepsOf(name).map(({ step }) => step.operation))
    const writing = operations().filter(({ method }) => method !== 'GET')
    const { uncovered } = SCENARIOS[name]
    expect(writing.filter(({ id }) => !called.has(id)).map(({ id }) => id)).toEqual(Object.keys(uncovered))
    for (const why of Object.values(uncovered)) expect(why).toMatch(/^\w.{15,}[^.]$/)
  })

  test('call only operations, lists, parameters and moves that exist', () => {
    const claims = published.find((each) => each.name === name)?.claims
    for (const { step } of stepsOf(name)) {
      const { operation: id, moves, creates, path, query } = step
      const operation = operations().find((each) => each.id === id)
      expect(operation, id).toBeDefined()
      const inPath = operation?.inPath.map((parameter) => parameter.name)
      for (const parameter of Object.keys(path ?? {})) expect(inPath).toContain(parameter)
      const inQuery = operation?.inQuery.map((parameter) => parameter.name)
      for (const parameter of Object.keys(query ?? {})) expect(inQuery).toContain(parameter)
      if (moves !== undefined) expect(claims?.get(`move ${moves}`), moves).toBeDefined()
      for (const other of [creates?.undo?.operation, creates?.find?.operation])
        if (other !== undefined) expect(operations().map((each) => each.id)).toContain(other)
    }
  })

  test('delete what they create, or need --allow', () => {
    for (const { scenario, step } of stepsOf(name)) {
      if (!step.creates || scenario.needsAllow !== undefined) continue
      expect(step.creates.undo, `${scenario.resource} ${step.operation}`).not.toBeNull()
      expect(step.creates.find, `${scenario.resource} ${step.operation}`).not.toBeNull()
    }
    const resources = SCENARIOS[name].scenarios.map(({ resource }) => resource)
    expect(new Set(resources).size).toBe(resources.length)
  })

  test('name each record after the run, and send to example.com alone', () => {
    for (const { scenario, step } of stepsOf(name)) {
      const text = JSON.stringify(step.body ?? {})
      const creates = scenario.steps.some((each) => each.operation === step.operation && each.creates)
      if (creates) expect(`${text}${JSON.stringify(step.file ?? {})}`, scenario.resource).toContain('{run}')
      for (const [address] of text.matchAll(/[\w.{}-]+@[\w.-]+/g)) expect(address).toMatch(/@example\.com$/)
      for (const [url] of text.matchAll(/https?:\/\/[^"/]+/g))
        expect(url).toBe('https://suite-sim.example.com')
    }
  })
})

test('stamping and sending need a confirmation', () => {
  const confirmed = INTERFACE_NAMES.flatMap((name) =>
    stepsOf(name).flatMap(({ step }) =>
      step.confirms ? [`${name} ${step.operation} ${step.confirms}`] : [],
    ),
  )
  expect([...new Set(confirmed)].toSorted()).toEqual([
    'conversations createMessage send',
    'conversations inviteAgent send',
    'lite-invoicing cancelInvoice stamp',
    'lite-invoicing issueInvoice stamp',
    'meetings addParticipant send',
    'tax-invoicing cancelInvoice stamp',
    'tax-invoicing createInvoice stamp',
    'tax-invoicing createInvoiceBatch stamp',
    'tax-invoicing createPaymentReceipt stamp',
    'tax-invoicing sendInvoice send',
  ])
})
