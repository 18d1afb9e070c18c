/** The progress and the questions of `verify` at a terminal. */
import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { confirmWord } from '../../src/verify/confirming.ts'
import { createProgressLine } from '../../src/verify/progress.ts'

const terminalOf = (isTTY: boolean, columns = 80) => {
  const written: string[] = []
  return { isTTY, columns, written, write: (text: string) => written.push(text) }
}

const progress = { stage: 'reads crm', requests: 1112, budget: 4000, differences: 1 }

describe('progress', () => {
  test('is one line, which the next one replaces', () => {
    const terminal = terminalOf(true)
    const line = createProgressLine(terminal)
    line.show(progress)
    line.show({ stage: 'x', requests: 1, budget: 1, differences: 0 })
    line.clear()
    line.clear()
    const [first = '', second = '', ...rest] = terminal.written
    expect(first).toBe('\rreads crm: 1,112 of 4,000 requests, 1 difference')
    expect(second).toBe('\rx: 1 of 1 request, 0 differences'.padEnd(first.length))
    expect(rest).toEqual([`\r${' '.repeat('x: 1 of 1 request, 0 differences'.length)}`, '\r'])
  })

  test('is cut at the width of the terminal', () => {
    const terminal = terminalOf(true, 20)
    createProgressLine(terminal).show(progress)
    expect(terminal.written).toEqual(['\rreads crm: 1,112 of'])
  })

  test('takes a terminal that states no width', () => {
    const terminal = terminalOf(true, 0)
    createProgressLine(terminal).show(progress)
    expect(terminal.written).toEqual(['\rreads crm: 1,112 of 4,000 requests, 1 difference'])
  })

  test('is empty in a pipe', () => {
    const terminal = terminalOf(false)
    const line = createProgressLine(terminal)
    line.show(progress)
    line.clear()
    expect(terminal.written).toEqual([])
  })
})

describe('a question', () => {
  const ask = (typed: string | null, signal = new AbortController().signal) => {
    const [input, output] = [new PassThrough(), new PassThrough()].map((stream) =>
      Object.assign(stream, { isTTY: true }),
    )
    if (!input || !output) throw new Error('no streams')
    const seen: string[] = []
    output.on('data', (data: Buffer) => seen.push(data.toString()))
    let stops = 0
    const answer = confirmWord('Pay 1.00 USD with a live key?', 'pay', {
      confirmed: ['stamp'],
      signal,
      before: () => seen.push('<cleared>'),
      stop: () => stops++,
      input,
      output,
    })
    if (typed !== null) input.write(typed)
    return { answer, seen, stopped: () => stops }
  }

  test.each([
    ['pay\r', true],
    [' pay \r', true],
    ['\r', false],
    ['yes\r', false],
    ['stamp\r', false],
  ])('is confirmed only by the word: %j', async (typed, expected) => {
    const { answer, seen } = ask(typed)
    expect(await answer).toBe(expected)
    expect(seen[0]).toBe('<cleared>')
    expect(seen.join('')).toContain('Pay 1.00 USD with a live key?')
    expect(seen.join('')).toContain('Type "pay" to confirm')
  })

  test('is refused when the run is stopped', async () => {
    const stopping = new AbortController()
    const { answer } = ask(null, stopping.signal)
    stopping.abort()
    expect(await answer).toBe(false)
    expect(await ask('pay\r', stopping.signal).answer).toBe(false)
  })

  test('passes on Ctrl-C', async () => {
    const stopping = new AbortController()
    const { answer, stopped } = ask('\u0003', stopping.signal)
    await expect.poll(stopped).toBe(1)
    stopping.abort()
    expect(await answer).toBe(false)
  })
})
