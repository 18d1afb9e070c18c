/** Shows the progress of a run in one line of a terminal. */
import { io } from '@suite-sim/kit/terminal/io'
import type { Progress } from '@suite-sim/verify/options'
import { counted, shortText, withCommas } from '@suite-sim/verify/report/values'

export interface ProgressLine {
  show(progress: Progress): void
  /** Removes the line, so that other text can follow. */
  clear(): void
}

interface Terminal {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

/** The width of a terminal that does not state its own. */
const WIDTH = 80

/** Returns a line on standard error, which is empty if that is no terminal. */
export function createProgressLine(terminal: Terminal = io().stderr): ProgressLine {
  let length = 0
  const put = (line: string): void => {
    if (!terminal.isTTY) return
    // A longer line would wrap, and the next one would not replace it.
    const { columns = 0 } = terminal
    const shown = line.slice(0, (columns > 1 ? columns : WIDTH) - 1)
    terminal.write(`\r${shown.padEnd(length)}`)
    length = shown.length
  }
  return {
    show(progress) {
      put(lineOf(progress))
    },
    clear() {
      if (length === 0) return
      put('')
      terminal.write('\r')
      length = 0
    },
  }
}

/** Returns "reads crm: 112 of 400 requests, 3 differences". */
const lineOf = ({ stage, requests, budget, differences }: Progress): string =>
  `${shortText(stage)}: ${withCommas(requests)} of ${counted(budget, 'request')}, ${counted(differences, 'difference')}`
