/** Tokens in files, such as mounted secrets: SIM_ADMIN_TOKEN_FILE and others. */
import type { Command } from 'commander'
import { UsageError } from './problem.ts'
import { readText } from './textFiles.ts'

/** Visible ASCII, because other characters cannot be sent in a header unchanged. */
export const TOKEN_CHARACTERS = /^[\x21-\x7e]+$/

/** The variables with tokens. The name of a file is in the variable with `_FILE` after it. */
const TOKENS: readonly (string | undefined)[] = ['SIM_ADMIN_TOKEN', 'SIM_METRICS_TOKEN', 'SIM_VERIFY_KEY']

/**
 * Sets the token options of a command that is about to run from files. A flag overrides its file. Throws a UsageError for
 * a file that holds no token, or if the variable with the token is also set.
 */
export function readTokenFiles(environment: NodeJS.ProcessEnv, command: Command): void {
  for (const option of command.options) {
    const { envVar: variable = '' } = option
    if (!TOKENS.includes(variable)) continue
    const name = `${variable}_FILE`
    const file = environment[name] ?? ''
    const source = command.getOptionValueSource(option.attributeName())
    if (file === '' || source === 'cli') continue
    if (source === 'env') throw new UsageError(`${name} and ${variable} are both given; use one of them`)
    command.setOptionValueWithSource(option.attributeName(), readToken(name, file), 'env')
  }
}

/** Returns the token in a file, without the line break at its end. `name` is the flag or the variable with the file. */
export function readToken(name: string, file: string): string {
  const token = readText(name, file).replace(/\r?\n$/, '')
  if (token === '') throw new UsageError(`${name}: ${file} is empty`)
  if (!TOKEN_CHARACTERS.test(token)) {
    throw new UsageError(`${name}: the token in ${file} must be visible ASCII characters without spaces`)
  }
  return token
}
