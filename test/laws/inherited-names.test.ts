/**
 * Names that every object inherits (`constructor`, `__proto__`) are ordinary values: none of them in a path, query or
 * body fails a call or matches an entry of a table.
 */
import { describe, expect, test } from 'vitest'
import { everyOperation, exampleBody, requiredQuery, type Subject } from '../support/examples.ts'
import { INTERFACES } from '../support/subject.ts'
import { demoWorkspace, inAccount } from './allActions.ts'
import { HOSTILE } from './snapshotValues.ts'

interface Attempt {
  readonly path: string
  readonly body?: unknown
}

const propertiesOf = (schema: unknown): string[] =>
  Object.keys((schema as { properties?: object } | undefined)?.properties ?? {})

/** Calls of the operation with the name as each path parameter and each field. */
function attemptsOf({ route, document, title }: Subject, name: string): Attempt[] {
  const path = inAccount(route.path)
  const example = exampleBody(document, route.method, route.path)
  const query = requiredQuery({ route, document, title })
  const named = path.replaceAll(/\{\w+\}/g, name)
  const queries = propertiesOf(route.schema.querystring).map((parameter) => ({
    path: `${named}?${parameter}=${name}`,
  }))
  if (!example) return [{ path: named + query }, ...queries]
  const bodies = propertiesOf(route.schema.body).flatMap((field) =>
    [name, [name], { [name]: name === '__proto__' ? undefined : 1 }].map((value) => ({
      path: named + query,
      body: { ...example, [field]: value },
    })),
  )
  return [{ path: named + query, body: example }, ...queries, ...bodies]
}

describe.each(INTERFACES.map(({ name }) => name))('%s', (name) => {
  test.each(HOSTILE)('accepts or refuses %s as a value without a server error', async (hostile) => {
    const call = (await demoWorkspace()).at(name)
    const failed: string[] = []
    for (const subject of everyOperation().filter(({ route }) => route.interface === name)) {
      const method = subject.route.method
      for (const { path, body } of attemptsOf(subject, hostile)) {
        const { status, text } = await call(method, path, body === undefined ? {} : { body })
        if (status >= 500) failed.push(`${subject.title} ${path} ${JSON.stringify(body)}: ${text}`)
      }
    }
    expect(failed).toEqual([])
  })
})
