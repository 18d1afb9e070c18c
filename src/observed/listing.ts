/** Lists what the server follows of an overlay. OPERATING.md, "Control plane". */
import { Type } from '@sinclair/typebox'
import type { Resource } from '../http/definition/definition.ts'
import { unpaged } from '../http/definition/paging.ts'
import { routesOf } from '../http/definition/routes.ts'
import { FreeObject, Instant, named, OneOf } from '../http/schemas/schemas.ts'
import { iso } from '@suite-sim/kit/time/instants'
import { documented } from '../state/model/fidelity.ts'
import { INTERFACE_NAMES } from '@suite-sim/kit/interfaceNames'
import { EXPIRES_AFTER_DAYS, KINDS } from './format.ts'
import type { ListedEntry, Observed } from './follow.ts'

const ENTRY = {
  index: Type.Integer({ minimum: 0, description: 'Its place in the overlay, from 0.' }),
  kind: OneOf(KINDS),
  interface: OneOf(INTERFACE_NAMES),
  subject: Type.String({ examples: ['the field /data/*/legacy_id'] }),
  why: Type.String({ examples: ['Observed on 2026-11-26 in 3 of 4 samples.'] }),
  expiresAt: Instant({
    description: `${String(EXPIRES_AFTER_DAYS)} days after it was observed. Starts after it ignore the entry.`,
  }),
  entry: FreeObject({ description: 'The entry of the overlay, with its evidence.' }),
}

const FollowedObservation = named('FollowedObservation', Type.Object(ENTRY))

const IgnoredObservation = named(
  'IgnoredObservation',
  Type.Object({
    ...ENTRY,
    because: OneOf(['expired', 'contradicts', 'superseded'], {
      description:
        'expired: it is too old. contradicts: the specification says otherwise, and the server was started without --prefer observed. superseded: later entries are about the same places.',
    }),
  }),
)

const Observations = named(
  'Observations',
  Type.Object({
    file: Type.Optional(Type.String({ description: 'The file of --observed.' })),
    measured: Type.Optional(
      Type.Object(
        {
          target: Type.String({ examples: ['https://suite.example.com'] }),
          at: Instant(),
          simulator: Type.String({ examples: ['0.2.0'] }),
        },
        { description: 'The service that was measured, when, and by which version of the simulator.' },
      ),
    ),
    data: Type.Array(FollowedObservation),
    ignored: Type.Array(IgnoredObservation),
  }),
)

/** Mounts the call that lists what is followed; nothing without an overlay. */
export function mountListing(app: Parameters<Resource>[0], observed: Observed | null): void {
  routesOf(app, { tag: 'Documentation' })('/observed').get({
    id: 'listObserved',
    isShared: true,
    summary: 'List what was observed on the real service',
    description:
      'What the server follows of the overlay of `--observed`, and the entries that it ignores. Empty without an overlay. Reports of `suite-sim verify` become overlays; docs/VERIFY.md explains them.',
    fidelity: documented,
    answers: { 200: Observations },
    paging: unpaged('An overlay has a maximum number of entries.'),
    run: () => ({
      ...(typeof observed?.file === 'string' && { file: observed.file }),
      ...(observed && { measured: observed.measured }),
      data: (observed?.followed ?? []).map(viewOf),
      ignored: (observed?.ignored ?? []).map((each) => ({ ...viewOf(each), because: each.because })),
    }),
  })
}

const viewOf = ({ index, subject, why, expiresAt, entry }: ListedEntry) => ({
  index,
  kind: entry.kind,
  interface: entry.interface,
  subject,
  why,
  expiresAt: iso(expiresAt),
  entry,
})
