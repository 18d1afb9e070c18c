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
