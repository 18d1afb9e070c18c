/** Reads YAML with the lines of its values. A separate bundle, loaded only when a file is YAML. */
import { isMap, isNode, isScalar, LineCounter, parseDocument, visit } from 'yaml'

export type Path = readonly (string | number)[]

export interface Yaml {
  readonly value: unknown
  /** Returns the line of a field or an item, or of the nearest one around it. */
  lineOf(path: Path): number
}

/** The text is not YAML, or uses what task files do not support. */
export interface YamlProblem {
  readonly problem: string
  readonly line: number
}

/** Parses one document. Aliases and custom tags are refused, because they can make a small file large. */
export function readYaml(text: string): Yaml | YamlProblem {
  const lines = new LineCounter()
  try {
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
    const [error] = [...document.errors, ...document.warnings]
    if (error) return { problem: error.message, line: lines.linePos(error.pos[0]).line }
    const aliases: number[] = []
    visit(document, {
      Alias(_key, { range }) {
        aliases.push(lines.linePos(range?.[0] ?? 0).line)
      },
    })
    const [line] = aliases
    if (line !== undefined) return { problem: 'aliases (*name) are not supported', line }
    const nodeAt = (path: Path): unknown => {
      const parent = document.getIn(path.slice(0, -1), true)
      // The value of a field can start on a later line.
      const field =
        isMap(parent) && parent.items.find(({ key }) => isScalar(key) && key.value === path.at(-1))
      return field ? field.key : document.getIn(path, true)
    }
    const lineOf = (path: Path): number => {
      for (let length = path.length; length >= 0; length--) {
        const node = nodeAt(path.slice(0, length))
        if (isNode(node) && node.range) return lines.linePos(node.range[0]).line
      }
      return 1
    }
    return { value: document.toJS({ maxAliasCount: 0 }) as unknown, lineOf }
  } catch {
    return { problem: 'it is nested too deeply', line: 1 }
  }
}
