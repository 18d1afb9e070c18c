/** A fresh app with helpers to publish and submit forms and a clock frozen at NOON. */
import type { Static } from '@sinclair/typebox'
import type { Form, FormDetail } from '../../src/interfaces/forms/shapes/forms.ts'
import type { Response, ResponseDetail } from '../../src/interfaces/forms/shapes/responses.ts'
import type { AppOptions } from '../../src/app.ts'
import { freshApp, type Answer, type Call, type FreshApp } from './app.ts'
import { formOf, type SentFile } from './forms.ts'
import { eventNamesOf } from './events.ts'

export const NOON = '2026-11-21T12:00:00.000Z'

export type FormBody = Static<typeof Form.item>
export type DetailBody = Static<typeof FormDetail.item>
export type ResponseBody = Static<typeof Response.item>
export type ResponseDetailBody = Static<typeof ResponseDetail.item>

type Fields = Readonly<Record<string, unknown>>

export interface Forms {
  readonly fresh: FreshApp
  readonly call: Call
  readonly create: (fields?: Fields) => Promise<FormBody>
  /** Fires the trigger forms.form.publish. */
  readonly publish: (formId: string, fields?: readonly Fields[]) => Promise<Answer>
  /** Creates and publishes a form with these fields. */
  readonly publishNew: (fields: readonly Fields[], more?: Fields) => Promise<DetailBody>
  /** POST /api/forms/{formId}/submit without a key. */
  readonly submit: (
    formId: string,
    answers: unknown,
    more?: Fields,
    headers?: Record<string, string>,
  ) => Promise<Answer>
  readonly responses: (formId: string) => Promise<ResponseBody[]>
  readonly response: (formId: string, id: string) => Promise<ResponseDetailBody>
  readonly page: (path: string) => Promise<Answer>
  /** Submits a page as a browser does. */
  readonly send: (
    path: string,
    fields: Readonly<Record<string, string | SentFile | readonly string[]>>,
    headers?: Record<string, string>,
  ) => Promise<Answer>
  readonly events: () => string[]
}

export async function freshForms(options: AppOptions = {}): Promise<Forms> {
  const fresh = await freshApp(options)
  const call = fresh.at('forms')
  fresh.setClock(NOON)

  const ask = async <Body>(answer: Promise<Answer>): Promise<Body> => {
    const { status, text, body } = await answer
    if (status >= 300) throw new Error(`answered ${String(status)}: ${text}`)
    return (body as { data: Body }).data
  }
  const create = (fields: Fields = {}) =>
    ask<FormBody>(call('POST', '/api/v1/forms', { body: { title: 'How was it?', ...fields } }))
  const publish = (formId: string, fields?: readonly Fields[]) =>
    fresh.call('POST', `/_sim/workspaces/${fresh.workspace.id}/triggers/forms.form.publish`, {
      body: { formId, ...(fields && { fields }) },
    })

  return {
    fresh,
    call,
    create,
    publish,
    async publishNew(fields, more) {
      const { id } = await create(more)
      const { status, body, text } = await publish(id, fields)
      if (status !== 200) throw new Error(text)
      return body as DetailBody
    },
    submit: (formId, answers, more = {}, headers = {}) =>
      call('POST', `/api/forms/${formId}/submit`, { key: null, body: { answers, ...more }, headers }),
    responses: (formId) => ask(call('GET', `/api/v1/forms/${formId}/responses`)),
    response: (formId, id) => ask(call('GET', `/api/v1/forms/${formId}/responses/${id}`)),
    page: (path) => fresh.call('GET', `/forms${path}`, { key: null }),
    send: (path, fields, headers = {}) =>
      fresh.call('POST', `/forms${path}`, { key: null, headers, ...formOf(fields) }),
    events: () => eventNamesOf(fresh.workspace, 'forms'),
  }
}

/** An error of forms for `toMatchObject`. */
export const refusal = (status: number, code: string, field?: string, problem?: string) => ({
  status,
  body: {
    error: {
      code,
      ...(field !== undefined && { details: [{ field, ...(problem !== undefined && { code: problem }) }] }),
    },
  },
})
