/** Control characters other than tabs, line ends and the colors of this program. */
const UNPRINTABLE = new RegExp(
  `(?![\\t\\n])(?!\\r\\n)(?!${String.fromCodePoint(27)}\\[(?:1|2|22|31|32|33|36|39)m)\\p{Cc}`,
  'gu',
)

/** Returns a text for a terminal: texts of files and servers could otherwise control it. */
export const printable = (text: string): string => text.replaceAll(UNPRINTABLE, '\uFFFD')

/** An error that ends a command. The message is one line for the terminal. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError'
  readonly exitCode: number = 1
}

/** A usage error. The exit code is 2, as for a wrong flag. */
export class UsageError extends CommandError {
  override readonly name = 'UsageError'
  override readonly exitCode = 2
}
