/**
 * Every fact of the published documents is either in the list of documented facts
 * (`documented/<interface>.json`, made by hand from the specification) or labelled as assumed, and no label contradicts
 * the list.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { compare, matches } from '../../src/http/openapi/fidelity/facts.ts'
import { KINDS } from '../../src/http/openapi/fidelity/findings.ts'
import { assumedFacts } from '../../src/http/openapi/fidelity/interfacePage.ts'
import { INTERFACE_NAMES } from '@suite-sim/kit/interfaceNames'
import { DOCUMENTED_LISTS, LIST_FOLDER } from '../support/documentedLists.ts'
import { operationRowsOf } from '../support/operationTable.ts'
import { publishedOf } from '../support/published.ts'
import { interfaceDocument, MACHINES } from '../support/subject.ts'

const SPECIFICATION = new URL('../../../shared/spec/', import.meta.url)

test('has a list for each interface', () => {
  const missing = INTERFACE_NAMES.filter((name) => !DOCUMENTED_LISTS.has(name))
  // An empty file such as crm.missing stands for a list that is still to be made.
  expect(missing).toEqual(INTERFACE_NAMES.filter((name) => existsSync(join(LIST_FOLDER, `${name}.missing`))))
})

describe.each([...DOCUMENTED_LISTS])('%s', (name, list) => {
  const document = interfaceDocument(publishedOf(name), { serverUrl: '', version: '' })
  const { facts, failures } = compare(document, list, operationRowsOf(name))

  test('labels exactly what the specification does not show', () => {
    expect(failures.join('\n')).toBe('')
  })

  test('has patterns that cover an assumption each', () => {
    const subjects = [
      ...KINDS.flatMap((kind) =>
        assumedFacts(facts, kind).map(({ label, place }) => `${kind} ${label?.place ?? place}`),
      ),
      ...MACHINES.flatMap(({ name: machine, moves }) =>
        Object.keys(moves).map((move) => `move ${machine} ${move}`),
      ),
    ]
    const patterns = list.notShown.flatMap(({ covers }) => covers)
    expect(patterns.filter((pattern) => !subjects.some((subject) => matches(pattern, subject)))).toEqual([])
  })

  // A checkout without the specification has only the lists.
  if (existsSync(SPECIFICATION)) {
    test('quotes the specification', () => {
      const text = specification()
      expect(list.notShown.filter(({ sentence }) => !text.includes(sentence))).toEqual([])
    })
  }
})

const specification = (): string =>
  readdirSync(SPECIFICATION)
    .map((file) => readFileSync(new URL(file, SPECIFICATION), 'utf8'))
    .join('\n')
