/**
 * Replaces the JSON Schema keywords of Ajv that visit members. Ajv visits all of them and creates an object
 * per error. These skip values beyond `maxItems` or `maxProperties`, and stop after a few errors.
 */
import type { Ajv, AnySchema, ErrorObject, SchemaValidateFunction, ValidateFunction } from 'ajv'
import { ofItsShape } from './alternatives.ts'
import { isWithin } from './limits.ts'

/** Maximum number of reported problems of one value. */
export const MAX_PROBLEMS = 20

type Context = NonNullable<Parameters<SchemaValidateFunction>[3]>
type Words = Readonly<Record<string, unknown>>

export function boundKeywords(ajv: Ajv): void {
  for (const keyword of ['items', 'additionalProperties', 'patternProperties']) ajv.removeKeyword(keyword)
  ajv.addKeyword({
    keyword: 'items',
    type: 'array',
    before: 'uniqueItems',
    errors: 'full',
    compile(schema: AnySchema, { maxItems = Infinity, 'x-items-apart': areApart = false }: Words) {
      // The operation validates each item itself with `problemsOf`.
      if (areApart === true) return () => true
      const check = ajv.compile(schema)
      return boundedValidator<readonly unknown[]>((items, context, report) => {
        if (items.length > Number(maxItems)) return
        for (let index = 0; index < items.length; index++) {
          if (!report(problemsAt(check, items, index, context))) return
        }
      })
    },
  })
  ajv.addKeyword({
    keyword: 'patternProperties',
    type: 'object',
    errors: 'full',
    compile(schemas: Readonly<Record<string, AnySchema>>, { maxProperties = Infinity }: Words) {
      const checks = Object.entries(schemas)
        // An empty schema accepts everything.
        .filter(([, schema]) => Object.keys(schema).length > 0)
        .map(([pattern, schema]) => ({ pattern: new RegExp(pattern, 'u'), check: ajv.compile(schema) }))
      return boundedValidator<Words>((data, context, report) => {
        if (checks.length === 0 || Object.keys(data).length > Number(maxProperties)) return
        for (const name in data) {
          for (const { pattern, check } of checks) {
            if (pattern.test(name) && !report(problemsAt(check, data, name, context))) return
          }
        }
      })
    },
  })
  ajv.addKeyword({
    keyword: 'additionalProperties',
    type: 'object',
    errors: 'full',
    compile(schema: AnySchema, { properties = {}, patternProperties = {}, 'x-names': rule }: Words) {
      const known = new Set(Object.keys(properties as object))
      const patterns = Object.keys(patternProperties as object).map((text) => new RegExp(text, 'u'))
      if (schema === true) return () => true
      const check = schema === false ? null : ajv.compile(schema)
      const refused = (name: string, context: Context): ErrorObject =>
        typeof rule === 'string' ? wrongName(name, context, rule) : unknownField(name, context, known)
      return boundedValidator<Words>((data, context, report) => {
        for (const name in data) {
          if (known.has(name) || patterns.some((pattern) => pattern.test(name))) continue
          if (!report(check ? problemsAt(check, data, name, context) : [refused(name, context)])) return
        }
      })
    },
  })
  ajv.addKeyword({
    keyword: 'x-max-size',
    schemaType: 'number',
    validate: (max: number, value: unknown) => isWithin(max, value),
  })
}

/** Adds the problems of a member; returns false if the limit is reached. */
type Report = (problems: readonly ErrorObject[]) => boolean

/** Returns a validator that visits members until it has reported enough problems. */
function boundedValidator<Data>(
  visitMembers: (data: Data, context: Context, report: Report) => void,
): SchemaValidateFunction & ((data: Data, context?: Context) => boolean) {
  const validate = (data: Data, context: Context): boolean => {
    const problems: ErrorObject[] = []
    visitMembers(data, context, (more) => {
      problems.push(...more)
      return problems.length < MAX_PROBLEMS
    })
    validate.errors = problems
    return problems.length === 0
  }
  validate.errors = [] as ErrorObject[]
  return validate as SchemaValidateFunction & ((data: Data, context?: Context) => boolean)
}

/** Returns the problems of a member. Its path is built only if it has problems. */
function problemsAt(
  check: ValidateFunction,
  members: object,
  name: string | number,
  { instancePath, rootData, dynamicAnchors }: Context,
): readonly ErrorObject[] {
  const member = (members as Words)[name]
  const context = {
    instancePath: '',
    parentData: members,
    parentDataProperty: name,
    rootData,
    dynamicAnchors,
  }
  if (check(member, context)) return []
  const path = String(name).replaceAll('~', '~0').replaceAll('/', '~1')
  // Their schema paths still tell them apart here.
  const problems = ofItsShape(check.errors ?? [])
  return problems.map((problem) => ({
    ...problem,
    instancePath: `${instancePath}/${path}${problem.instancePath}`,
  }))
}

const unknownField = (name: string, { instancePath }: Context, known: ReadonlySet<string>): ErrorObject => ({
  keyword: 'additionalProperties',
  instancePath,
  schemaPath: '#/additionalProperties',
  params: { additionalProperty: name, known: [...known] },
  message: 'must NOT have additional properties',
})

/** The error of a record whose schema states the rule of its names as `x-names`. */
const wrongName = (name: string, { instancePath }: Context, rule: string): ErrorObject => ({
  keyword: 'x-names',
  instancePath,
  schemaPath: '#/x-names',
  params: { name, rule },
  message: 'must NOT have other names',
})
