/** Reduces the errors of a value with several shapes (`anyOf`) to the useful ones. */
import type { ErrorObject } from 'ajv'

/**
 * Ajv reports the errors of each shape. Keeps those of the shape with the value's type; if no shape has it,
 * reports the allowed types.
 */
export const ofItsShape = (errors: readonly ErrorObject[]): readonly ErrorObject[] =>
  errors.filter(({ keyword }) => keyword === 'anyOf').reduce(narrow, errors)

function narrow(errors: readonly ErrorObject[], union: ErrorObject): readonly ErrorObject[] {
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
