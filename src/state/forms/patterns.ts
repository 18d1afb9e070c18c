/** Patterns of fields, which others write: matched in linear time, whatever they say. */
import { RE2JS } from 're2js'

/** Patterns that were compiled lately. */
const MAX_KEPT = 200
const kept = new Map<string, RE2JS | null>()

function compiled(pattern: string): RE2JS | null {
  const known = kept.get(pattern)
  if (known !== undefined) return known
  let made: RE2JS | null = null
  try {
    made = RE2JS.compile(pattern)
  } catch {
    // Not in the syntax of RE2.
  }
  if (kept.size >= MAX_KEPT) kept.clear()
  kept.set(pattern, made)
  return made
}

export const isPattern = (pattern: string): boolean => compiled(pattern) !== null

/** Whether the whole text is as the pattern says; a pattern that can't be used asks for nothing. */
export const matches = (pattern: string, text: string): boolean => compiled(pattern)?.matches(text) ?? true
