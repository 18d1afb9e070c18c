/**
 * Checks every response of a test against the OpenAPI document of its interface. Fields that the document does not
 * name are refused, so that no field stays undocumented.
 */
import type { Published } from '../../src/http/definition/definition.ts'
import type { OpenApiDocument } from '../../src/http/openapi/documentParts.ts'
import { fail, operationsOf, Schemas, type Answer } from './responseSchemas.ts'
import { interfaceDocument } from './subject.ts'

export type { Answer }

/** Checks the responses of one interface. */
export interface Contract {
  readonly document: OpenApiDocument
  readonly published: Published
  /** Throws an error that describes how the response differs from the document. */
  check(answer: Answer): void
  /** Does the same for the body of a delivery. */
  checkDelivery(event: string, text: string): void
}

/** One per interface and process, because the documents are the same in every app. */
const contracts = new Map<string, Contract>()

export function contractOf(published: Published): Contract {
  const { name } = published.definition
  let contract = contracts.get(name)
  if (!contract) contracts.set(name, (contract = makeContract(published)))
  return contract
}

export function makeContract(published: Published): Contract {
  const document = interfaceDocument(published, { serverUrl: 'http://127.0.0.1:4012', version: '0.0.0' })
  const schemas = new Schemas(document)
  const find = operationsOf(document)

  return {
    document,
    published,
    check(answer) {
      const found = find(answer.method, answer.url.slice(published.definition.basePath.length))
      if (!found) {
        judgeUnknown(published, schemas, answer)
        return
      }
      schemas.checkResponse(answer, found)
    },
    checkDelivery(event, text) {
      schemas.checkDelivery(event, text)
    },
  }
}

/** An unknown path or method also returns an error in the shape of the interface. */
function judgeUnknown({ definition }: Published, schemas: Schemas, answer: Answer): void {
  const { no_such_path, method_not_allowed, malformed } = definition.dialect.refusals
  const statuses = [no_such_path, method_not_allowed, malformed].map(({ status }) => status)
  const { credential_missing, forbidden } = definition.dialect.refusals
  if (![...statuses, credential_missing.status, forbidden.status].includes(answer.status)) {
    fail(answer, `status ${String(answer.status)} where there is no operation`)
  }
  schemas.judgeError(answer, definition.dialect.errorSchema)
}
