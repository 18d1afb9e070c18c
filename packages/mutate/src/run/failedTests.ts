/** The names of the tests that failed in a run: of a JUnit file, or of what the fixtures of the library write. */
import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'

export interface Sources {
  /** null if the command writes none. */
  readonly junit: string | null
  /** The folder of SUITE_SIM_FAILURES. */
  readonly failures: string
}

export const failedTests = ({ junit, failures }: Sources): string[] =>
  junit === null ? foldersIn(failures) : failedIn(textOf(junit))

/** The fixtures write a folder for each failed test: its name without other characters, and eight of a hash. */
function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .map((name) =>
        basename(name)
          .replace(/-[0-9a-f]{8}$/, '')
          .replaceAll('-', ' '),
      )
      .toSorted()
  } catch {
    return []
  }
}

/** A command that died has written none. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** Returns the names of the cases with a failure or an error in a JUnit file. */
export function failedIn(xml: string): string[] {
  const names: string[] = []
  for (const [, attributes = '', body = ''] of xml.matchAll(CASE)) {
    if (!/<(?:failure|error)\b/.test(body)) continue
    const values = new Map(
      [...attributes.matchAll(ATTRIBUTE)].map(([, name = '', double, single = '']) => [
        name,
        double ?? single,
      ]),
    )
    const parts = ['classname', 'name'].map((name) => unescaped(values.get(name) ?? ''))
    names.push(parts.filter((part) => part !== '').join(' › '))
  }
  return [...new Set(names)].toSorted()
}

const ATTRIBUTE = /\s(classname|name)=(?:"([^"]*)"|'([^']*)')/g

/** A test case, with its attributes and its content; `/>` ends one that passed. */
const CASE = /<testcase\b((?:[^>"']|"[^"]*"|'[^']*')*?)(?:\/>|>([\s\S]*?)<\/testcase>)/g

const CHARACTERS: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const unescaped = (text: string): string =>
  text.replaceAll(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (all, decimal?: string, hex?: string, name = '') => {
    if (decimal !== undefined) return String.fromCodePoint(Number(decimal))
    if (hex !== undefined) return String.fromCodePoint(parseInt(hex, 16))
    return CHARACTERS[String(name)] ?? all
  })
