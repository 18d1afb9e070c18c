/** The targets of `listen --forward-to [NAME=]URL`. */
import { InvalidArgumentError } from 'commander'
import { urlProblem } from '@suite-sim/kit/webhooks/urlProblem'

export interface Target {
  /** The name of an interface or of an event; null takes what no other target names. */
  readonly name: string | null
  /** null without `--forward-to`: the webhooks are only printed. */
  readonly url: string | null
}

/** Parses one value of the flag, which can be repeated. */
export function parseTarget(value: string, targets: readonly Target[] = []): readonly Target[] {
  const [, name, rest] = /^([a-z][\w.-]*)=(.*)$/i.exec(value) ?? []
  const url = rest ?? value
  if (!/^https?:/i.test(url)) {
    throw new InvalidArgumentError(
      'It must be a URL that starts with http:// or https://, or NAME=URL with the name of an interface or of an event.',
    )
  }
  const problem = urlProblem(url)
  if (problem !== null) throw new InvalidArgumentError(`${problem}.`)
  return [...targets, { name: name ?? null, url }]
}
