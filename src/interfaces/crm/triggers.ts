/** Triggers that define templates, teams and segments. Calls name these by id, but no call creates them. */
import { Type } from '@sinclair/typebox'
import { Instant, OneOf } from '../../http/schemas/schemas.ts'
import { valueOf } from '../../http/shapes/shape.ts'
import { trigger } from '../../http/definition/trigger.ts'
import { iso } from '@suite-sim/kit/time/instants'
import { defineSegment } from '../../state/crm/sales/contacts.ts'
import { MAX_MEMBERS, segments, teams, templates, VERTICALS } from '../../state/crm/tables.ts'
import { defineTeam } from '../../state/crm/automations/actions/teams.ts'
import { placeholdersIn } from '../../state/crm/automations/actions/placeholders.ts'
import { truncate } from '../../state/text/truncate.ts'
import { CRM_EVENTS } from '../../state/crm/eventNames.ts'
import { refuseField } from '../../state/model/refusal.ts'
import { defineTemplate } from '../../state/crm/automations/actions/templates.ts'
import { assumed } from '../../state/model/fidelity.ts'
import { existingPaths, isPathOf } from './eventPaths.ts'
import { demoId, DEMO_USER, notBlank } from './shapes/common.ts'
import { Tag } from './shapes/contacts.ts'

/** An optional id; an existing record with this id is replaced. */
const id = (prefix: string) =>
  Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      pattern: '^\\S+$',
      'x-wording': 'must have no spaces',
      description: 'An existing record with this id is replaced. Without an id, a new one is generated.',
      examples: [demoId(prefix)],
    }),
  )

const Filters = Type.Object(
  {
    search: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    tag: Type.Optional(Tag),
    vertical: Type.Optional(OneOf(VERTICALS)),
  },
  { additionalProperties: false, description: 'Filters of GET /contacts. A contact must match all of them.' },
)

const Defined = { id: Type.String(), name: Type.String(), created_at: Instant() }

/** Refuses placeholders that name nothing in any event, because each event can use the template. */
function mustUsePlaceholders(field: string, text: string): void {
  const wrong = placeholdersIn(text).find((path) => !CRM_EVENTS.some((event) => isPathOf(event, path)))
  if (wrong === undefined) return
  const path = truncate(wrong, 100)
  const known = existingPaths('deal.created', path)
  refuseField(
    field,
    'unknown',
    `${field} must use placeholders of events, not {{${path}}}; of deal.created, ${known}`,
  )
}

export const crmTriggers = [
  trigger({
    name: 'crm.template.define',
    summary: 'Create or replace an e-mail template.',
    body: Type.Object({
      id: id('tpl_'),
      name: valueOf(templates.name, notBlank('Welcome')),
      subject: Type.String({ maxLength: 998, examples: ['Welcome, {{contact.name}}'] }),
      body: valueOf(templates.body, {
        description:
          'Plain text or HTML, with placeholders such as {{deal.value}}. In HTML their values are escaped (assumed).',
        examples: ['Dear {{contact.name}}, your {{deal.name}} is on its way.'],
      }),
    }),
    result: Type.Object({ ...Defined, subject: Type.String(), body: Type.String() }),
    fidelity: assumed(
      'send_email names a template_id. The specification shows no call that creates a template.',
    ),
    run(workspace, body) {
      mustUsePlaceholders('subject', body.subject)
      mustUsePlaceholders('body', body.body)
      const { createdAt, ...template } = defineTemplate(workspace, body)
      const { id, name, subject } = template
      return { id, name, subject, body: template.body, created_at: iso(createdAt) }
    },
  }),

  trigger({
    name: 'crm.team.define',
    summary: 'Create or replace a team.',
    body: Type.Object({
      id: id('team_'),
      name: valueOf(teams.name, notBlank('Sales')),
      member_ids: Type.Array(Type.String({ examples: [DEMO_USER] }), {
        minItems: 1,
        maxItems: MAX_MEMBERS,
        description: 'Users of the workspace, in the order of the round robin.',
      }),
    }),
    result: Type.Object({ ...Defined, member_ids: Type.Array(Type.String()) }),
    fidelity: assumed('assign_owner names a team_id. The specification shows no call that creates a team.'),
    run(workspace, { member_ids: memberIds, ...body }) {
      const { id, name, members, createdAt } = defineTeam(workspace, { ...body, memberIds })
      return { id, name, member_ids: [...members], created_at: iso(createdAt) }
    },
  }),

  trigger({
    name: 'crm.segment.define',
    summary: 'Create or replace a segment of contacts.',
    body: Type.Object({
      id: id('seg_'),
      name: valueOf(segments.name, notBlank('Schools')),
      filters: Filters,
    }),
    result: Type.Object({ ...Defined, filters: Filters }),
    fidelity: assumed(
      'GET /contacts filters by a segment_id. The specification shows no call that creates a segment.',
    ),
    run(workspace, body) {
      const { id, name, filters, createdAt } = defineSegment(workspace, body)
      return { id, name, filters: { ...filters }, created_at: iso(createdAt) }
    },
  }),
]
