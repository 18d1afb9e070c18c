/**
 * Creates forms as drafts and publishes them; only a trigger publishes. Specification part 1, "Form and response
 * (forms)".
 */
import { Type, type TSchema } from '@sinclair/typebox'
import { workspaceFinder } from '../workspace/workspaceFinder.ts'
import { numbered } from '../storage/queries/listing.ts'
import { take } from '../model/machine.ts'
import { record } from '../storage/records/record.ts'
import { decimalNumber, oneOf, text, upTo, whole } from '../storage/shapes.ts'
import { createSlug } from '../text/slugs.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { appendFormEvent } from './events.ts'
import {
  FIELD_TYPES,
  MAX_FIELDS_OF_FORM,
  MAX_OPTIONS,
  mustFitTogether,
  OPERATORS,
  type Field,
} from './fields.ts'
import { formMachine } from './machines.ts'
import { forms as table, type Settings } from './tables.ts'

export type Form = typeof table.$inferSelect

const closed = (properties: Readonly<Record<string, TSchema>>) =>
  Type.Object(properties, { additionalProperties: false })

const orNone = (schema: TSchema) => Type.Union([schema, Type.Null()])

const FIELD_ID = '^[A-Za-z][\\w-]{0,63}$'

const fieldShape = () =>
  closed({
    id: Type.String({ pattern: FIELD_ID }),
    type: oneOf(FIELD_TYPES),
    label: text(300),
    description: orNone(text(1000)),
    placeholder: orNone(text(200)),
    required: Type.Boolean(),
    options: Type.Array(text(200), { maxItems: MAX_OPTIONS }),
    validations: closed({
      min: orNone(decimalNumber(-1e12, 1e12)),
      max: orNone(decimalNumber(-1e12, 1e12)),
      minDate: orNone(Type.String({ format: 'date' })),
      maxDate: orNone(Type.String({ format: 'date' })),
      minLength: orNone(whole(0, 10_000)),
      maxLength: orNone(whole(1, 10_000)),
      pattern: orNone(text(200)),
    }),
    visibleIf: orNone(
      closed({
        fieldId: Type.String({ pattern: FIELD_ID }),
        operator: oneOf(OPERATORS),
        value: Type.Union([Type.String({ maxLength: 500 }), Type.Number(), Type.Boolean(), Type.Null()]),
      }),
    ),
  })

const settingsShape = () =>
  closed({
    showProgress: Type.Boolean(),
    submitLabel: orNone(text(60)),
    successMessage: orNone(text(1000)),
    embedOrigins: orNone(
      Type.Array(Type.String({ pattern: '^https?://[\\w.:-]{1,253}$' }), { maxItems: 20 }),
    ),
  })

/** The maximum length of a description. The specification shows no length. */
export const LONGEST_DESCRIPTION = 2000

export const forms = record(table, {
  noun: 'form',
  list: numbered({ sorts: { created_at: table.createdAt }, filters: {} }),
  snapshot: {
    section: 'forms',
    name: 'forms',
    instants: ['publishedAt', 'createdAt', 'updatedAt'],
    shapes: () => ({
      title: text(200),
      description: upTo(LONGEST_DESCRIPTION),
      slug: Type.String({ pattern: '^[a-z0-9]+(-[a-z0-9]+)*$', maxLength: 120 }),
      fields: Type.Array(fieldShape(), { maxItems: MAX_FIELDS_OF_FORM }),
      settings: settingsShape(),
    }),
    check({ fields }) {
      mustFitTogether(fields, () => true)
    },
  },
})

const bySlug = forms.by('slug')

/** Returns the form with this slug in the workspace. */
export const formWithSlug = (workspace: Workspace, slug: string): Form => bySlug.get(workspace, slug)

/** Finds the workspaces that have a form with this id, published or not. */
export const workspacesOfForm = workspaceFinder(table, table.id)

const DEFAULT_SETTINGS: Settings = {
  showProgress: true,
  submitLabel: null,
  successMessage: null,
  embedOrigins: null,
}

/** Creates a draft without fields. */
export function createForm(
  workspace: Workspace,
  { title, description }: { readonly title: string; readonly description: string | null },
): Form {
  return workspace.write(() => {
    const now = workspace.now()
    const form = forms.insert(workspace, {
      id: workspace.ids.uuid('form'),
      title,
      description,
      status: formMachine.initial[0],
      slug: createSlug(workspace, title, 'form', (slug) => bySlug.find(workspace, slug) === undefined),
      isPublic: false,
      defaultMode: 'conversational',
      fields: [],
      settings: DEFAULT_SETTINGS,
      publishedAt: null,
      createdAt: now,
      updatedAt: now,
    })
    appendFormEvent(workspace, 'form.created', form.id, { form })
    return form
  })
}

/** The properties that publishing a form may change. */
export type Publication = Partial<Pick<Form, 'fields' | 'defaultMode' | 'settings'>>

/** Publishes a form. A published form can be published again with other fields. */
export function publishForm(
  workspace: Workspace,
  form: Form,
  changes: Publication,
  isPattern: (pattern: string) => boolean,
): Form {
  return workspace.write(() => {
    const { state, event } = take(formMachine, form.status, 'publish')
    if (changes.fields) mustFitTogether(changes.fields, isPattern)
    const now = workspace.now()
    const published = forms.update(workspace, form, {
      ...changes,
      status: state,
      isPublic: true,
      publishedAt: form.publishedAt ?? now,
      updatedAt: now,
    })
    appendFormEvent(workspace, event, form.id, { form: published })
    return published
  })
}

/** True if people can answer the form. */
export const isOpen = ({ status, isPublic }: Form): boolean => status === 'published' && isPublic

export type { Field }
