/** What commands print: for people at a terminal in colour, for programs as JSON. */
import { styleText } from 'node:util'

export type Colour = 'green' | 'red' | 'yellow' | 'cyan' | 'dim' | 'bold'

export interface Printing {
  readonly json?: boolean
}

/** JSON is for pipes, and for whoever asks for it. */
export const printsJson = ({ json = false }: Printing): boolean => json || !process.stdout.isTTY

/** Whether somebody is there to be asked. */
export const canAsk = (printing: Printing): boolean => !printsJson(printing) && process.stdin.isTTY

const hasColour = (): boolean => process.stdout.isTTY && !process.env['NO_COLOR']

export const paint = (colour: Colour, text: string): string => (hasColour() ? styleText(colour, text) : text)

/** One document: indented in a pipe as well, for it is read by people there, too. */
export function print(printing: Printing, value: unknown, words: () => string): void {
  process.stdout.write(`${printsJson(printing) ? JSON.stringify(value, null, 2) : words()}\n`)
}

/** One of many lines. */
export function printLine(printing: Printing, value: unknown, words: () => string): void {
  process.stdout.write(`${printsJson(printing) ? JSON.stringify(value) : words()}\n`)
}

/** Rows under their heads, as wide as they have to be. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = heads.map((head, place) =>
    rows.reduce((widest, row) => Math.max(widest, (row[place] ?? '').length), head.length),
  )
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, place) => cell.padEnd(widths[place] ?? 0))
      .join('  ')
      .trimEnd()
  return [paint('bold', line(heads)), ...rows.map(line)].join('\n')
}

/** Says on standard error that something takes its time, while it does and somebody is looking. */
export async function withProgress<Result>(words: string, work: Promise<Result>): Promise<Result> {
  if (!process.stderr.isTTY || process.env['NO_COLOR']) return work
  const frames = ['|', '/', '-', '\\']
  let turn = 0
  const timer = setInterval(() => {
    process.stderr.write(`\r${frames[turn++ % frames.length] ?? ''} ${words}`)
  }, 120)
  try {
    return await work
  } finally {
    clearInterval(timer)
    if (turn > 0) process.stderr.write(`\r${' '.repeat(words.length + 2)}\r`)
  }
}
