/** What keeps a command from its work; the message is one line for the person at the terminal. */
export class Problem extends Error {
  override readonly name = 'Problem'
}
