/**
 * multipart/form-data: the form becomes the body, an object with texts and uploads by name, and is validated by a
 * schema like any other.
 */
import { rm } from 'node:fs/promises'
import { Type, type TProperties, type TSchema, type TUnsafe } from '@sinclair/typebox'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { storeOf } from '../state/fileDiscarding.ts'
import type { FileStore } from '../state/fileStore.ts'
import { Refusal } from '../state/refusal.ts'
import { bareName, receiveForm, type FormLimits, type FormValues, type SentPart } from './formReading.ts'
import { Upload } from './uploads.ts'

export const FORM_TYPE = 'multipart/form-data'

/** The schema of a form. */
export const Form = <Properties extends TProperties>(properties: Properties) =>
  Type.Object(properties, { contentMediaType: FORM_TYPE })

/** A body of JSON that may be sent as a form as well, which has these fields. */
export const JsonOrForm = <Properties extends TProperties>(properties: Properties, form: TProperties) =>
  Type.Object(properties, { 'x-form': Form(form) })

/** A field that holds a file, such as `example`; a text in its place gets through the schema (`mustBeUpload`). */
export const File = (description: string, example: string): TUnsafe<Upload> =>
  Type.Unsafe({ contentMediaType: 'application/octet-stream', description, examples: [example] })

/** The upload, or a refusal where a text or several files were sent. */
export function mustBeUpload(field: string, sent: unknown): Upload {
  if (sent instanceof Upload) return sent
  const message = `${field} must be one file`
  throw new Refusal('invalid', message, { details: [{ field, code: 'invalid_type', message }] })
}

declare module 'fastify' {
  interface FastifyRequest {
    /** What the request has on disk until it is answered; for operations that take forms. */
    leftovers: Leftovers
    /** The form as it came, for operations that take JSON as well, whose schema knows no files. */
    form?: FormValues
    /** The parts of the form, as far as they came. */
    sentParts?: SentPart[]
  }
}

/** Files that go when the request is answered. What a crash leaves of them goes with the next start. */
export class Leftovers {
  readonly #store: FileStore
  readonly #paths: string[] = []

  constructor(store: FileStore) {
    this.#store = store
  }

  /** A path at which the request may put something. */
  next(): string {
    const path = this.#store.incoming()
    this.#paths.push(path)
    return path
  }

  async remove(): Promise<void> {
    for (const path of this.#paths.splice(0)) await rm(path, { force: true })
  }
}

/**
 * Makes the operations of this scope take forms, and nothing else unless JSON is said to do as well. Their files are gone
 * when they are answered. `fields` are those of pages, which have no schema; parts with other names are dropped.
 */
export function takeForms(
  scope: FastifyInstance,
  limits: FormLimits,
  fields?: readonly string[] | ((request: FastifyRequest) => readonly string[]),
  { orJson = false }: { readonly orJson?: boolean } = {},
): void {
  const store = storeOf(scope.workspaces.database)
  if (!orJson) scope.removeAllContentTypeParsers()
  // The plugin reads nothing by itself. Fastify closes the connection when a parser refuses a body, and the sender may lose the answer.
  void scope.register(import('@fastify/multipart'), { throwFileSizeLimit: false })
  scope.decorateRequest('leftovers')
  scope.decorateRequest('form')
  scope.decorateRequest('sentParts')
  scope.addHook('onRequest', (request, _reply, done) => {
    request.leftovers = new Leftovers(store)
    done()
  })
  scope.addHook('preValidation', async (request) => {
    if (!request.isMultipart()) return
    const asked = propertiesOf(request)
    const named = typeof fields === 'function' ? fields(request) : fields
    const names = new Set(named ?? Object.keys(asked).map(bareName))
    const nextPath = (): string => request.leftovers.next()
    const sent: SentPart[] = []
    request.sentParts = sent
    const form = await receiveForm(request, names, limits, nextPath, sent)
    request.form = form
    request.body = withLists(form, asked)
  })
  // Comes when the handler is done, even if the connection is gone by then.
  scope.addHook('onSend', async (request) => {
    // There are none of a request that was turned down before.
    const { leftovers } = request as { leftovers?: Leftovers }
    await leftovers?.remove()
  })
}

/** The fields that the operation asks for, by name. */
function propertiesOf({ routeOptions }: FastifyRequest): Readonly<Record<string, TSchema>> {
  const body = routeOptions.schema?.body as
    | { properties?: Record<string, TSchema>; 'x-form'?: { properties?: Record<string, TSchema> } }
    | undefined
  return body?.['x-form']?.properties ?? body?.properties ?? {}
}

const isList = (asked: Readonly<Record<string, TSchema>>, name: string): boolean =>
  Object.hasOwn(asked, name) && asked[name]?.['type'] === 'array'

/** A field that comes once is a list of one where a list is asked for. */
const withLists = (form: FormValues, asked: Readonly<Record<string, TSchema>>): FormValues =>
  Object.fromEntries(
    Object.entries(form).map(([name, value]) => [
      name,
      isList(asked, name) && !Array.isArray(value) ? [value] : value,
    ]),
  )
