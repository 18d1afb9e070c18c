/** Matches the patterns of fields, which users write, in linear time. */
import { RE2JS } from 're2js'

/** Caches compile patterns. */
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

/** True if the whole string matches the pattern. An invalid pattern matches everything. */
export const matches = (pattern: string, text: string): boolean => compile(pattern)?.matches(text) ?? true
