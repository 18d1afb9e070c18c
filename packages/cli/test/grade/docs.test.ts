/** The commands of docs/agents.md work as written, and print what the page shows. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { freshApp } from '../../../../test/support/app.ts'
import { runHere } from '../../../../test/support/commandLine.ts'
import { blockAfter, codeBlocksOf, type CodeBlock } from '../../../../test/support/guide.ts'
import { runIn } from '../../../../test/support/packed.ts'
import { listenTo } from '../../../../test/support/payers.ts'
import { BINARY, build, scratchFolder } from '../../../../test/support/process.ts'

beforeAll(build)

const TOKEN = 'my-admin-token'
const blocks = codeBlocksOf('agents.md')

async function shell(commands: readonly CodeBlock[]) {
  const folder = scratchFolder()
  const url = await listenTo(await freshApp({ adminToken: TOKEN }))
  const script = [
    `suite-sim() { '${process.execPath}' '${BINARY}' "$@"; }`,
    `export SIM_URL=${url} SIM_ADMIN_TOKEN=${TOKEN}`,
    ...commands.map(({ text }) => text),
  ]
  writeFileSync(join(folder, 'commands.sh'), script.join('\n'))
  return runIn(folder, ['bash', '-e', 'commands.sh'])
}

test('an agent is evaluated with the commands of the page', async () => {
  const commands = blocks.filter(
    ({ heading, language }) => heading === 'In five minutes' && language === 'sh',
  )
  const [grade] = commands.filter(({ text }) => text.includes('--report text'))
  if (!grade) throw new Error('the page grades nothing')
  const { code, stdout } = await shell(commands.slice(0, commands.indexOf(grade) + 1))
  expect(code).toBe(1)
  expect(stdout).toContain('Raise the base price of every active product')
  expect(stdout).toContain(blockAfter(blocks, grade)?.text)
})

test('the task of the page passes its own test', async () => {
  const folder = scratchFolder()
  const [task] = blocks.filter(({ heading, language }) => heading === 'Write a task' && language === 'yaml')
  writeFileSync(join(folder, 'archive-coffee.yaml'), task?.text ?? '')
  const url = await listenTo(await freshApp())
  const args = ['grade', 'archive-coffee.yaml', '--self-test', '--report', 'text', '--url', url]
  const { code, stdout, stderr } = await runHere(args, { folder })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain('2 of 2 runs are as the tasks say')
})
