/** The status and the code of each refusal are those of the interface. After a change on purpose: `-u`. */
import { expect, test } from 'vitest'
import { REASONS } from '../../src/state/model/refusal.ts'
import { PUBLISHED } from '../support/published.ts'

test.each(PUBLISHED.map(({ definition }) => [definition.name, definition.dialect] as const))(
  '%s refuses with its statuses and codes',
  (_name, { refusals }) => {
    const lines = REASONS.map((reason) => [reason, refusals[reason].status, refusals[reason].code].join(' '))
    expect(lines.join('\n')).toMatchSnapshot()
  },
)
