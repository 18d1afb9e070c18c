/**
 * Creates forms as drafts and publishes them; only a trigger publishes. Specification part 1, "Form and response
 * (forms)".
 */
import { workspaceFinder } from '../workspace/workspaceFinder.ts'
import { numbered } from '../storage/queries/listing.ts'
import { take } from '../model/machine.ts'
import { record } from '../storage/records/record.ts'
import { createSlug } from '../text/slugs.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { appendFormEvent } from './events.ts'
import { mustFitTogether, type Field } from './fields.ts'
import { mustBePossible } from './possible.ts'
import { formMachine } from './machines.ts'
import { forms as table, type Settings } from './tables.ts'

export type Form = typeof table.$inferSelect

export const forms = record(table, {
  noun: 'form',
  list: numbered({ sorts: { created_at: table.createdAt }, filters: {} }),
  snapshot: {
    section: 'forms',
    name: 'forms',
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
  { title, description }: Pick<Form, 'title'> & Partial<Pick<Form, 'description'>>,
): Form {
  return workspace.write(() => {
    const now = workspace.now()
    const form = forms.insert(workspace, {
      id: workspace.ids.uuid('form'),
      title,
      description,
      slug: createSlug(workspace, title, 'form', (slug) => bySlug.find(workspace, slug) === undefined),
      isPublic: false,
      fields: [],
      settings: DEFAULT_SETTINGS,
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
    if (changes.fields) {
      mustFitTogether(changes.fields, isPattern)
      mustBePossible(changes.fields)
    }
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
