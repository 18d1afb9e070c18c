/** Views of forms and responses on the wire, and the paths of their pages. */
import type { Static } from '@sinclair/typebox'
import { fieldView, instant, computed, type Fields } from '../../http/shapes/fields.ts'
import { fileLink } from '../../http/files/fileLinks.ts'
import type { Form as FormRow } from '../../state/forms/forms.ts'
import type { Response as ResponseRow } from '../../state/forms/responseRecords.ts'
import { forms, responses, type AnswerValue } from '../../state/forms/tables.ts'
import { storedFiles } from '../../state/shared/storedFiles.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import type { Form, FormDetail } from './schemas/forms.ts'
import type { Response, ResponseDetail } from './schemas/responses.ts'

export const BASE_PATH = '/forms'

/** The paths of the pages of forms, and of the same pages for other sites to embed. */
export const PAGES_PATH = '/forms/f'
export const EMBEDDED_PATH = '/forms/embed'

/**
 * Returns the URL for submitting the form. It names the workspace, because copies of a workspace have forms with
 * the same id.
 */
const submitUrl = (formId: string, { id, publicUrl }: Workspace): string =>
  `${publicUrl}${BASE_PATH}/api/forms/${encodeURIComponent(formId)}/submit?workspace=${encodeURIComponent(id)}`

/** Separates the slug from the workspace; no slug of a form contains it. */
const SEPARATOR = '--'

/** Returns the slug on the wire: that of the form and the id of its workspace. */
export const wireSlug = (slug: string, { id }: Workspace): string => `${slug}${SEPARATOR}${id}`

/** Splits a slug on the wire; null if it names no workspace. */
export function partsOfSlug(wire: string): { readonly slug: string; readonly workspace: string } | null {
  const index = wire.indexOf(SEPARATOR)
  return index < 1 ? null : { slug: wire.slice(0, index), workspace: wire.slice(index + SEPARATOR.length) }
}

export const formFields: Fields<Static<typeof Form>> = {
  id: forms.id,
  title: forms.title,
  description: forms.description,
  status: forms.status,
  defaultMode: forms.defaultMode,
  slug: computed([forms.slug], ([slug], workspace) => wireSlug(slug, workspace)),
  submitUrl: computed([forms.id], ([id], workspace) => submitUrl(id, workspace)),
  isPublic: forms.isPublic,
  createdAt: instant(forms.createdAt),
  publishedAt: instant(forms.publishedAt),
}

export const formView = fieldView(forms, formFields)

export function formDetailView(form: FormRow, workspace: Workspace): Static<typeof FormDetail> {
  const { showProgress, ...settings } = form.settings
  const mode = { enabled: true, showProgress }
  return {
    ...formView(form, workspace),
    schema: {
      fields: form.fields.map((field) => ({ ...field, options: [...field.options] })),
      settings: {
        ...settings,
        embedOrigins: settings.embedOrigins === null ? null : [...settings.embedOrigins],
      },
    },
    modes: { default: form.defaultMode, conversational: mode, classic: mode },
  }
}

export const responseFields: Fields<Static<typeof Response>> = {
  id: responses.id,
  formId: responses.formId,
  status: responses.status,
  mode: responses.mode,
  respondentEmail: responses.respondentEmail,
  startedAt: instant(responses.startedAt),
  completedAt: instant(responses.completedAt),
  totalTimeSeconds: responses.totalTimeSeconds,
  completionPercentage: responses.completionPercentage,
}

export const responseView = fieldView(responses, responseFields)

export const responseDetailView = (
  response: ResponseRow,
  workspace: Workspace,
): Static<typeof ResponseDetail> =>
  Object.assign(responseView(response, workspace), {
    answers: response.answers.map((answer) => ({ ...answer, value: valueView(answer.value, workspace) })),
  })

function valueView(
  value: AnswerValue,
  workspace: Workspace,
): Static<typeof ResponseDetail>['answers'][number]['value'] {
  if (typeof value !== 'object' || value === null) return value
  if (isList(value)) return [...value]
  const { fileId, name, contentType, size } = value
  const file = storedFiles.find(workspace, fileId)
  return { name, contentType, size, url: file ? fileLink(workspace, file).url : null }
}

const isList = (value: object): value is readonly string[] => Array.isArray(value)
