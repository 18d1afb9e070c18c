/** Pieces of documents: the content of bodies, and how well something is documented. */
import type { Fidelity } from '../../state/model/fidelity.ts'
import { LONGEST_TEXT } from '../schemas/limits.ts'
import type { JsonObject, PublishedSchemas } from './components.ts'
import { exampleOf } from './examples.ts'

export const fidelityWords = (fidelity: Fidelity): JsonObject => ({
  'x-fidelity': fidelity.status,
  ...(fidelity.why !== undefined && { 'x-fidelity-why': fidelity.why }),
})

/**
 * Returns the content of a body with its example. The media type is the schema's `contentMediaType`, or else
 * JSON.
 */
export function contentOf(
  schemas: PublishedSchemas,
  schema: object,
  direction: 'sent' | 'answered',
): JsonObject {
  const {
    contentMediaType = 'application/json',
    type,
    'x-form': form,
  } = schema as {
    contentMediaType?: string
    type?: string
    'x-form'?: object
  }
  const published = { schema: schemas.publish(schema, direction === 'sent' ? LONGEST_TEXT : undefined) }
  // An object with its own media type is a form.
  if ('contentMediaType' in schema && type !== 'object') return { [contentMediaType]: published }
  return {
    [contentMediaType]: { ...published, example: exampleOf(schema, direction) },
    ...(form && contentOf(schemas, form, direction)),
  }
}
