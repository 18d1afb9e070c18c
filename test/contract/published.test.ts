/**
 * The published documents while interfaces move to shapes (`src/http/shapes/shape.ts`): each equals the one before the
 * move, so that no field, bound or text is lost on the way. The copies are hashes. `npm run openapi` before and after
 * a change shows what differs; a change on purpose puts the new hash into `published.json`.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PUBLISHED } from '../support/published.ts'
import { ROOT } from '../support/process.ts'
import { interfaceDocument } from '../support/subject.ts'

/** In the order of the interfaces; a new interface needs no hash. */
const hashes = JSON.parse(readFileSync(join(ROOT, 'test/contract/published.json'), 'utf8')) as string[]

/** The same JSON for objects with the same properties in another order. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (key, part: unknown) => {
    if (key === 'required' && Array.isArray(part)) return part.toSorted()
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part
    return Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)))
  })

test.each(hashes.map((hash, index) => [PUBLISHED[index]?.definition.name, hash, PUBLISHED[index]] as const))(
  'the document of %s is the one before',
  (_name, hash, published) => {
    if (!published) throw new Error('there are more hashes than interfaces')
    const document = interfaceDocument(published, { serverUrl: 'http://127.0.0.1:4012', version: '0.0.0' })
    expect(createHash('sha256').update(canonical(document)).digest('hex')).toBe(hash)
  },
)
