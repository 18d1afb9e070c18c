/**
 * multipart/form-data: the form becomes the body, an object with strings and uploads by name. A schema
 * validates it like any other body.
 */
import { rm } from 'node:fs/promises'
import { Type, type TProperties, type TSchema, type TUnsafe } from '@sinclair/typebox'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { storeOf } from '../../state/files/fileCleanup.ts'
import type { FileStore } from '../../state/files/fileStore.ts'
import { Refusal } from '../../state/model/refusal.ts'
import { bareName, receiveForm, type FormLimits, type FormValues, type SentPart } from './formReading.ts'
import { Upload } from './uploads.ts'

export const FORM_TYPE = 'multipart/form-data'

/** Returns the schema of a form. */
export const Form = <Properties extends TProperties>(properties: Properties) =>
  Type.Object(properties, { contentMediaType: FORM_TYPE })

/** Returns the schema of a JSON body that callers can also send as a form with the fields `form`. */
export const JsonOrForm = <Properties extends TProperties>(properties: Properties, form: TProperties) =>
  Type.Object(properties, { 'x-form': Form(form) })

/** Returns the schema of a file field, such as `example`. It does not refuse a string; `mustBeUpload` does. */
export const File = (description: string, example: string): TUnsafe<Upload> =>
  Type.Unsafe({ contentMediaType: 'application/octet-stream', description, examples: [example] })

/** Returns the upload; refuses a string or several files. */
export function mustBeUpload(field: string, sent: unknown): Upload {
  if (sent instanceof Upload) return sent
  const message = `${field} must be one file`
  throw new Refusal('invalid', message, { details: [{ field, code: 'invalid_type', message }] })
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The request's temporary files, for operations that accept forms. */
    leftovers: TemporaryFiles
    /** The form as it was sent, for operations that also accept JSON, whose schema has no files. */
    form?: FormValues
    /** The parts of the form that have arrived. */
    sentParts?: SentPart[]
    /** A step that waits for the form: the faults of the workspace. */
    afterForm?: (done: (error?: Error) => void) => void
  }
}

/** Temporary files that are deleted with the response. The next start deletes those that a crash leaves. */
export class TemporaryFiles {
  readonly #store: FileStore
  readonly #paths: string[] = []

  constructor(store: FileStore) {
    this.#store = store
  }

  /** Returns a new path for a temporary file. */
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
 * Makes the operations of this scope accept forms, and JSON with `orJson`. Their files are deleted after the
 * response. `fields` are the names for pages, which have no schema; other parts are dropped.
 */
export function acceptForms(
  scope: FastifyInstance,
  limits: FormLimits,
  fields?: readonly string[] | ((request: FastifyRequest) => readonly string[]),
  { orJson = false }: { readonly orJson?: boolean } = {},
): void {
  const store = storeOf(scope.workspaces.database)
  if (!orJson) scope.removeAllContentTypeParsers()
  // The plugin reads nothing until a hook asks. If a content type parser refused the body, Fastify would
  // close the connection, and the client might lose the response.
  void scope.register(import('@fastify/multipart'), { throwFileSizeLimit: false })
  scope.decorateRequest('leftovers')
  scope.decorateRequest('form')
  scope.decorateRequest('sentParts')
  scope.addHook('onRequest', (request, _reply, done) => {
    request.leftovers = new TemporaryFiles(store)
    done()
  })
  scope.addHook('preValidation', async (request) => {
    if (!request.isMultipart()) return
    const fieldSchemas = propertiesOf(request)
    const named = typeof fields === 'function' ? fields(request) : fields
    const names = new Set(named ?? Object.keys(fieldSchemas).map(bareName))
    const nextPath = (): string => request.leftovers.next()
    const sent: SentPart[] = []
    request.sentParts = sent
    const form = await receiveForm(request, names, limits, nextPath, sent)
    request.form = form
    request.body = withLists(form, fieldSchemas)
  })
  scope.addHook('preValidation', (request, _reply, done) => {
    if (request.afterForm) request.afterForm(done)
    else done()
  })
  // Runs after the handler, even if the connection was closed before.
  scope.addHook('onSend', async (request) => {
    // Undefined if the request was refused earlier.
    const { leftovers } = request as { leftovers?: TemporaryFiles }
    await leftovers?.remove()
  })
}

/** Returns the fields of the operation's schema, by name. */
function propertiesOf({ routeOptions }: FastifyRequest): Readonly<Record<string, TSchema>> {
  const body = routeOptions.schema?.body as
    | { properties?: Record<string, TSchema>; 'x-form'?: { properties?: Record<string, TSchema> } }
    | undefined
  return body?.['x-form']?.properties ?? body?.properties ?? {}
}

const isList = (fieldSchemas: Readonly<Record<string, TSchema>>, name: string): boolean =>
  Object.hasOwn(fieldSchemas, name) && fieldSchemas[name]?.['type'] === 'array'

/** Wraps a single value in a list if the schema has a list. */
const withLists = (form: FormValues, fieldSchemas: Readonly<Record<string, TSchema>>): FormValues =>
  Object.fromEntries(
    Object.entries(form).map(([name, value]) => [
      name,
      isList(fieldSchemas, name) && !Array.isArray(value) ? [value] : value,
    ]),
  )
