/** Prints results: in color at a terminal, and as JSON in a pipe. */
import { styleText } from 'node:util'
import { io } from './io.ts'
import { printable } from './problem.ts'

export type Color = 'green' | 'red' | 'yellow' | 'cyan' | 'dim' | 'bold'

export interface OutputSettings {
  readonly json?: boolean
}

/** True if the output is a pipe or `--json` is set. */
export const printsJson = ({ json = false }: OutputSettings): boolean => json || io().stdout.isTTY !== true

/** True if the command can ask the user for input. */
export const canAsk = (printing: OutputSettings): boolean =>
  !printsJson(printing) && io().stdin.isTTY === true

const hasColor = (): boolean => io().stdout.isTTY === true && !io().env['NO_COLOR']

export const paint = (colour: Color, text: string): string => (hasColor() ? styleText(colour, text) : text)

/** Prints one result. JSON is indented in a pipe too, so that people can read it. */
export function print(printing: OutputSettings, value: unknown, format: () => string): void {
  io().stdout.write(`${printsJson(printing) ? JSON.stringify(value, null, 2) : printable(format())}\n`)
}

/** Prints one of many results, as one line in JSON. */
export function printLine(printing: OutputSettings, value: unknown, format: () => string): void {
  io().stdout.write(`${printsJson(printing) ? JSON.stringify(value) : printable(format())}\n`)
}

/** Formats rows as a table with aligned columns. */
export function table(headers: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = headers.map((header, index) =>
    rows.reduce((widest, row) => Math.max(widest, (row[index] ?? '').length), header.length),
  )
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd()
  return [paint('bold', line(headers)), ...rows.map(line)].join('\n')
}

/** Shows progress on standard error during the work, if that is a terminal. */
export async function withProgress<Result>(message: string, work: Promise<Result>): Promise<Result> {
  if (io().stderr.isTTY !== true || io().env['NO_COLOR']) return work
  const frames = ['|', '/', '-', '\\']
  let frame = 0
  const timer = setInterval(() => {
    io().stderr.write(`\r${frames[frame++ % frames.length] ?? ''} ${message}`)
  }, 120)
  try {
    return await work
  } finally {
    clearInterval(timer)
    if (frame > 0) io().stderr.write(`\r${' '.repeat(message.length + 2)}\r`)
  }
}
