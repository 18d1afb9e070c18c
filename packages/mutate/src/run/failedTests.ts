/** The names of the tests that failed in a run: of a JUnit file, or of what the library's reporters and fixtures write. */
import { readFileSync } from 'node:fs'

export interface Sources {
  /** null if the command writes none. */
  readonly junit: string | null
  /** The file of SUITE_SIM_FAILED_TESTS. */
  readonly failedTests: string
}

export const failedTests = ({ junit, failedTests: names }: Sources): string[] =>
  junit === null ? namesIn(textOf(names)) : failedIn(textOf(junit))

/** A line has a name as JSON; a test with a fixture has two, if its runner has the reporter, too. */
const namesIn = (lines: string): string[] => {
  const names = lines.split('\n').filter((line) => line !== '')
  return [...new Set(names.map((line) => String(JSON.parse(line))))].toSorted()
}

/** A command whose tests pass, or that died, has written none. */
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
