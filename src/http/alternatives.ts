/** What is wrong with a value of which a schema takes several shapes (`anyOf`), told as a person would. */
import type { ErrorObject } from 'ajv'

/**
 * Ajv tells what each of the shapes has against the value. Left of that is what the one has that is for values of its type;
 * where there is none, which types there are.
 */
export const ofItsShape = (errors: readonly ErrorObject[]): readonly ErrorObject[] =>
  errors.filter(({ keyword }) => keyword === 'anyOf').reduce(narrowed, errors)

function narrowed(errors: readonly ErrorObject[], union: ErrorObject): readonly ErrorObject[] {
  const { instancePath, schemaPath, schema: shapes, parentSchema } = union
  const mismatches = errors.filter(
    (error) =>
      error.keyword === 'type' &&
      error.instancePath === instancePath &&
      error.schemaPath.startsWith(`${schemaPath}/`) &&
      /^\d+\/type$/.test(error.schemaPath.slice(schemaPath.length + 1)),
  )
  if (mismatches.length === 0) return errors
  const rest = errors.filter((error) => !mismatches.includes(error))
  const fitting = (shapes as readonly unknown[]).length - mismatches.length
  if (fitting === 1) return rest.filter((error) => error !== union)
  if (fitting > 1 || 'x-wording' in (parentSchema ?? {})) return rest
  const type = mismatches.flatMap((error) => (error.params as { type: string | string[] }).type)
  return rest.map((error) => (error === union ? { ...error, keyword: 'type', params: { type } } : error))
}
