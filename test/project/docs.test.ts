/** The generated parts of the documentation and the library are current (scripts/generated/docs.ts). */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { FOLDER as JAVA_FOLDER } from '../../scripts/clients/java.mjs'
import { generatedDocs, scheduleSection } from '../../scripts/generated/docs.ts'
import { INTERFACE_NAMES } from '@suite-sim/kit/interfaceNames'
import { ROOT } from '../support/process.ts'

const docs = await generatedDocs()

test.each([...docs])('%s is current', (file, generated) => {
  const [current, lines] = [readFileSync(join(ROOT, file), 'utf8').split('\n'), generated.split('\n')]
  const line = lines.findIndex((each, index) => each !== current[index])
  // The first different line is more useful than a diff of two long texts.
  expect(
    line < 0 ? current.slice(lines.length) : { line: line + 1, text: current[line] },
    `${file} must be generated: run \`npm run docs\``,
  ).toEqual(line < 0 ? [] : { line: line + 1, text: lines[line] })
})

test('show the retry schedule of each interface that has its own', () => {
  const own = { name: 'pos', schedule: { delays: [0, 60_000, 7_200_000], jitter: 0.25 } }
  expect(scheduleSection([own, { name: 'crm' }]).join(' ')).toContain(
    '**Schedule** of `pos`: three attempts. The first is immediate; the others follow after 1 min and 2 h. Each delay varies by up to 25 %. The last attempt is about 2 hours after the event, or 2 hours with the longest delays.',
  )
})

const javaClasses = [...docs.keys()].filter((file) => file.startsWith(JAVA_FOLDER))

test('includes the fidelity pages, the tables, the snippets and the types of the clients', () => {
  expect([...docs.keys()].filter((file) => !javaClasses.includes(file))).toEqual([
    'docs/FIDELITY.md',
    ...INTERFACE_NAMES.map((name) => `docs/fidelity/${name}.md`),
    'docs/readings.md',
    'README.md',
    'docs/control-plane.md',
    'docs/agents.md',
    'docs/operating.md',
    'docs/webhooks.md',
    'packages/client/src/generated/control.ts',
    'clients/python/src/suite_simulator/_generated.py',
    'clients/go/control.go',
  ])
})

test('leaves no generated Java class behind whose schema was removed', () => {
  const current = readdirSync(join(ROOT, JAVA_FOLDER)).map((name) => `${JAVA_FOLDER}/${name}`)
  expect(current.sort()).toEqual(javaClasses.toSorted())
})
