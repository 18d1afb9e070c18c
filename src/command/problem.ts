/** What keeps a command from its work; the message is one line for the person at the terminal. */
export class Problem extends Error {
  override readonly name: string = 'Problem'
}

/** What was asked for in a way that it can't be: exit code 2, as for a wrong flag. */
export class Misuse extends Problem {
  override readonly name = 'Misuse'
}
