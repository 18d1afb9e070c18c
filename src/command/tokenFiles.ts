/** Tokens in files, such as mounted secrets: SIM_ADMIN_TOKEN_FILE and SIM_METRICS_TOKEN_FILE. */
import { readFileSync } from 'node:fs'
import { TOKEN_CHARACTERS } from './flags.ts'
import { UsageError } from './terminal/problem.ts'

/** The variables with tokens, and the flags that set the same. */
const TOKENS = [
  { variable: 'SIM_ADMIN_TOKEN', flag: '--admin-token' },
  { variable: 'SIM_METRICS_TOKEN', flag: '--metrics-token' },
] as const

/**
 * Puts the tokens of files into their variables, for the flags of all commands. Throws a UsageError for a file that holds
 * no token, or if the token is also given in another way.
 */
export function readTokenFiles(environment: NodeJS.ProcessEnv, args: readonly string[]): void {
  for (const { variable, flag } of TOKENS) {
    const name = `${variable}_FILE`
    const file = environment[name] ?? ''
    if (file === '') continue
    const isFlagGiven = args.some((arg) => arg === flag || arg.startsWith(`${flag}=`))
    const other = isFlagGiven ? flag : (environment[variable] ?? '') === '' ? null : variable
    if (other !== null) throw new UsageError(`${name} and ${other} are both given; use one of them`)
    environment[variable] = readToken(name, file)
    // Read once: another run in this process would find both.
    Reflect.deleteProperty(environment, name)
  }
}

function readToken(name: string, file: string): string {
  const token = textOf(name, file).replace(/\r?\n$/, '')
  if (token === '') throw new UsageError(`${name}: ${file} is empty`)
  if (!TOKEN_CHARACTERS.test(token)) {
    throw new UsageError(`${name}: the token in ${file} must be visible ASCII characters without spaces`)
  }
  return token
}

function textOf(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    const why: Readonly<Record<string, string>> = {
      ENOENT: 'the file does not exist',
      EISDIR: 'it is a folder',
      EACCES: 'this user may not read it',
    }
    throw new UsageError(`${name}: cannot read ${file}: ${why[code] ?? code}`)
  }
}
