/** Matches patterns that users write, in linear time: those of form fields and of faults. */
import { RE2JS } from 're2js'

/** Caches compiled patterns. */
const MAX_CACHED = 200
const cache = new Map<string, RE2JS | null>()

function compile(pattern: string): RE2JS | null {
  const known = cache.get(pattern)
  if (known !== undefined) return known
  let regex: RE2JS | null = null
  try {
    regex = RE2JS.compile(pattern)
  } catch {
    // Not in the syntax of RE2.
  }
  if (cache.size >= MAX_CACHED) cache.clear()
  cache.set(pattern, regex)
  return regex
}

export const isPattern = (pattern: string): boolean => compile(pattern) !== null

/** Returns the number of instructions of a pattern. The time to match grows with it: `a{1000}` has a thousand. */
export const sizeOfPattern = (pattern: string): number => compile(pattern)?.programSize() ?? 0

/** True if the whole string matches the pattern. An invalid pattern matches everything. */
export const matches = (pattern: string, text: string): boolean => compile(pattern)?.matches(text) ?? true

/** True if a part of the string matches the pattern. An invalid pattern matches everything. */
export const isFoundIn = (pattern: string, text: string): boolean => compile(pattern)?.test(text) ?? true
