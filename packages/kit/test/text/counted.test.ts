import { expect, test } from 'vitest'
import { counted, nounFor } from '../../src/text/counted.ts'

test.each([
  [0, 'delivery', '0 deliveries'],
  [1, 'delivery', '1 delivery'],
  [2, 'delivery', '2 deliveries'],
  [2, 'day', '2 days'],
  [1, 'call', '1 call'],
  [1234, 'call', '1,234 calls'],
  [2, 'address', '2 addresses'],
  [3, 'match', '3 matches'],
])('%i %s is written as %s', (count, noun, text) => {
  expect(counted(count, noun)).toBe(text)
  expect(text).toContain(nounFor(count, noun))
})
