/** Overlays for tests. */
import {
  OBSERVED_FORMAT,
  type Entry,
  type EntryOf,
  type Kind,
  type Overlay,
} from '../../src/observed/format.ts'
import { systemNow } from '@suite-sim/kit/time/machineClock'

export const overlayOf = (...entries: readonly Entry[]): Overlay => ({
  format: OBSERVED_FORMAT,
  measured: {
    target: 'https://suite.example.com',
    at: new Date(systemNow()).toISOString(),
    simulator: '0.2.0',
  },
  entries,
})

type Required = 'kind' | 'observedAt' | 'samples' | 'evidence'

/** Returns an entry of a kind that was observed a moment ago. */
export const ofKind = <const Name extends Kind>(
  kind: Name,
  fields: Omit<EntryOf<Name>, Required> & Partial<Pick<EntryOf<Name>, Required>>,
): EntryOf<Name> =>
  ({
    kind,
    observedAt: new Date(systemNow()).toISOString(),
    samples: { deviating: 3, total: 4 },
    evidence: [{ request: 'GET /', status: 200, excerpt: '{}' }],
    ...fields,
  }) as unknown as EntryOf<Name>
