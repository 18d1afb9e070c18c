/** Asks a person to confirm what nothing undoes. */
import { createInterface } from 'node:readline/promises'
import { io } from '@suite-sim/kit/terminal/io'
import type { Confirmed } from '@suite-sim/verify/options'
import { shortText } from '@suite-sim/verify/report/values'

interface Asking {
  /** The words of `--confirm`. */
  readonly confirmed: readonly Confirmed[]
  readonly signal: AbortSignal
  /** Runs before the question is printed. */
  readonly before: () => void
  /** Runs if the person presses Ctrl-C instead of answering. */
  readonly stop: () => void
  readonly input?: NodeJS.ReadableStream & { readonly isTTY?: boolean }
  readonly output?: NodeJS.WritableStream & { readonly isTTY?: boolean }
}

/** Returns true if the person types the word, or has named it in `--confirm`. In a pipe, returns false without asking. */
export async function confirmWord(
  question: string,
  word: Confirmed,
  { confirmed, signal, before, stop, input = io().stdin, output = io().stderr }: Asking,
): Promise<boolean> {
  if (confirmed.includes(word)) return true
  if (!input.isTTY || !output.isTTY || signal.aborted) return false
  before()
  const prompt = createInterface({ input, output })
  prompt.on('SIGINT', stop)
  try {
    const text = `${shortText(question, 500)}\nType "${word}" to confirm, or press Enter to leave it out: `
    return (await prompt.question(text, { signal })).trim() === word
  } catch (error) {
    if ((error as Error).name === 'AbortError') return false
    throw error
  } finally {
    prompt.close()
  }
}
