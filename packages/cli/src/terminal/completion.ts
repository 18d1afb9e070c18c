/** `suite-sim completion`: prints shell scripts that complete commands and flags. */
import type { Command } from 'commander'
import { io } from '@suite-sim/kit/terminal/io'
import { nearestName } from '@suite-sim/kit/text/nearestName'
import { UsageError } from '@suite-sim/kit/terminal/problem'

export const SHELLS = ['bash', 'zsh', 'fish'] as const

interface Completions {
  /** The command: "clock advance"; empty for the program. */
  readonly path: string
  readonly words: readonly { readonly word: string; readonly description: string }[]
}

export function completion(shell: string, root: Command): void {
  const write = Object.hasOwn(WRITERS, shell) ? WRITERS[shell] : undefined
  if (!write) {
    const suggestion = nearestName(shell, SHELLS)
    const hint = suggestion === null ? `the shells are ${SHELLS.join(', ')}` : `did you mean ${suggestion}?`
    throw new UsageError(`no completion exists for '${shell}'; ${hint}`)
  }
  io().stdout.write(write(completionsOf(root, '')))
}

/** Returns the words that can follow each command. */
function completionsOf(command: Command, path: string): Completions[] {
  const words = [
    ...command.commands.map((each) => ({ word: each.name(), description: each.description() })),
    ...command.options.map((each) => ({
      word: each.long ?? each.short ?? '',
      description: each.description,
    })),
    { word: '--help', description: 'show help' },
  ]
  const shells = path === 'completion' ? SHELLS.map((word) => ({ word, description: '' })) : []
  return [
    { path, words: [...shells, ...words] },
    ...command.commands.flatMap((each) =>
      completionsOf(each, path === '' ? each.name() : `${path} ${each.name()}`),
    ),
  ]
}

const wordsOf = ({ words }: Completions): string => words.map(({ word }) => word).join(' ')

const bash = (known: readonly Completions[]): string => `# suite-sim: eval "$(suite-sim completion bash)"
_suite_sim() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path="" word words=""
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) ;; *) case "$path $word" in
${known
  .filter(({ path }) => path !== '')
  .map(({ path }) => `      "${path.includes(' ') ? path : ` ${path}`}") path="${path}" ;;`)
  .join('\n')}
    esac ;; esac
  done
  case "$path" in
${known.map((each) => `    "${each.path}") words="${wordsOf(each)}" ;;`).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _suite_sim suite-sim
`

const zsh = (known: readonly Completions[]): string =>
  `# suite-sim: eval "$(suite-sim completion zsh)"\nautoload -U +X bashcompinit && bashcompinit\n${bash(known)}`

/** Fish offers commands until one is typed, then the words that can follow it. */
const fish = (known: readonly Completions[]): string =>
  `# suite-sim: suite-sim completion fish | source\n${known
    .flatMap(({ path, words }) =>
      words.map(({ word, description }) => {
        const after = path.split(' ').map((each) => `__fish_seen_subcommand_from ${each}`)
        const condition = path === '' ? '__fish_use_subcommand' : after.join('; and ')
        const option = word.startsWith('--') ? `-l ${word.slice(2)}` : `-f -a ${word}`
        return `complete -c suite-sim -n '${condition}' ${option} -d '${description.replaceAll("'", '')}'`
      }),
    )
    .join('\n')}\n`

const WRITERS: Readonly<Record<string, (known: readonly Completions[]) => string>> = { bash, zsh, fish }
