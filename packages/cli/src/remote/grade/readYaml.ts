/** Reads YAML with the lines of its values. A separate bundle, loaded only by `suite-sim grade`. */
import { isNode, LineCounter, parseDocument } from 'yaml'

export type Path = readonly (string | number)[]

export interface Yaml {
  readonly value: unknown
  /** Returns the line of a value, or of the nearest value around it. */
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
    const lineOf = (path: Path): number => {
      for (let length = path.length; length >= 0; length--) {
        const node = document.getIn(path.slice(0, length), true)
        if (isNode(node) && node.range) return lines.linePos(node.range[0]).line
      }
      return 1
    }
    return { value: document.toJS({ maxAliasCount: 0 }) as unknown, lineOf }
  } catch (error) {
    const isAlias = error instanceof ReferenceError
    return { problem: isAlias ? 'aliases (*name) are not supported' : 'it is nested too deeply', line: 1 }
  }
}
