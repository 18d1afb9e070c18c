/**
 * The words of JSON Schema that look at members of which a caller may send any number, in the place of Ajv's own. Those
 * go on to the end and make an object for every problem, though five million bad items are told of in a few; these
 * look at nothing that has too many members by `maxItems` or `maxProperties`, and stop when enough is known.
 */
import type { Ajv, AnySchema, ErrorObject, SchemaValidateFunction, ValidateFunction } from 'ajv'
import { ofItsShape } from './alternatives.ts'
import { isWithin } from './limits.ts'

/** Problems that are told of one value. */
export const MAX_PROBLEMS = 20

type Place = NonNullable<Parameters<SchemaValidateFunction>[3]>
type Words = Readonly<Record<string, unknown>>

export function boundKeywords(ajv: Ajv): void {
  for (const keyword of ['items', 'additionalProperties', 'patternProperties']) ajv.removeKeyword(keyword)
  ajv.addKeyword({
    keyword: 'items',
    type: 'array',
    before: 'uniqueItems',
    errors: 'full',
    compile(schema: AnySchema, { maxItems = Infinity, 'x-items-apart': areApart = false }: Words) {
      // The operation judges each by itself, with `problemsOf`.
      if (areApart === true) return () => true
      const check = ajv.compile(schema)
      return untilEnough<readonly unknown[]>((items, place, tell) => {
        if (items.length > Number(maxItems)) return
        for (let index = 0; index < items.length; index++) {
          if (!tell(problemsAt(check, items, index, place))) return
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
        // Whatever is sent is right.
        .filter(([, schema]) => Object.keys(schema).length > 0)
        .map(([pattern, schema]) => ({ pattern: new RegExp(pattern, 'u'), check: ajv.compile(schema) }))
      return untilEnough<Words>((data, place, tell) => {
        if (checks.length === 0 || Object.keys(data).length > Number(maxProperties)) return
        for (const name in data) {
          for (const { pattern, check } of checks) {
            if (pattern.test(name) && !tell(problemsAt(check, data, name, place))) return
          }
        }
      })
    },
  })
  ajv.addKeyword({
    keyword: 'additionalProperties',
    type: 'object',
    errors: 'full',
    compile(schema: AnySchema, { properties = {}, patternProperties = {} }: Words) {
      const known = new Set(Object.keys(properties as object))
      const patterns = Object.keys(patternProperties as object).map((text) => new RegExp(text, 'u'))
      if (schema === true) return () => true
      const check = schema === false ? null : ajv.compile(schema)
      return untilEnough<Words>((data, place, tell) => {
        for (const name in data) {
          if (known.has(name) || patterns.some((pattern) => pattern.test(name))) continue
          if (!tell(check ? problemsAt(check, data, name, place) : [unknownField(name, place, known)])) return
        }
      })
    },
  })
  ajv.addKeyword({
    keyword: 'x-max-size',
    schemaType: 'number',
    validate: (most: number, value: unknown) => isWithin(most, value),
  })
}

/** Takes in what is wrong with a member; answers whether there is room for more. */
type Tell = (problems: readonly ErrorObject[]) => boolean

/** What looks at members one by one, and is told when it may stop. */
function untilEnough<Data>(
  look: (data: Data, place: Place, tell: Tell) => void,
): SchemaValidateFunction & ((data: Data, place?: Place) => boolean) {
  const validate = (data: Data, place: Place): boolean => {
    const problems: ErrorObject[] = []
    look(data, place, (more) => {
      problems.push(...more)
      return problems.length < MAX_PROBLEMS
    })
    validate.errors = problems
    return problems.length === 0
  }
  validate.errors = [] as ErrorObject[]
  return validate as SchemaValidateFunction & ((data: Data, place?: Place) => boolean)
}

/** What is wrong with the member of this name. Its path is written when there is something to be told of it. */
function problemsAt(
  check: ValidateFunction,
  members: object,
  name: string | number,
  { instancePath, rootData, dynamicAnchors }: Place,
): readonly ErrorObject[] {
  const member = (members as Words)[name]
  const place = { instancePath: '', parentData: members, parentDataProperty: name, rootData, dynamicAnchors }
  if (check(member, place)) return []
  const path = String(name).replaceAll('~', '~0').replaceAll('/', '~1')
  // Here their own paths in the schema still tell them apart.
  const problems = ofItsShape(check.errors ?? [])
  return problems.map((problem) => ({
    ...problem,
    instancePath: `${instancePath}/${path}${problem.instancePath}`,
  }))
}

const unknownField = (name: string, { instancePath }: Place, known: ReadonlySet<string>): ErrorObject => ({
  keyword: 'additionalProperties',
  instancePath,
  schemaPath: '#/additionalProperties',
  params: { additionalProperty: name, known: [...known] },
  message: 'must NOT have additional properties',
})
