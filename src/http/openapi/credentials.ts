/** Credentials in the published documents. */
import type { LoadedInterface } from '../definition/definition.ts'
import type { JsonObject } from './components.ts'
import type { DocumentPart } from './documentParts.ts'

export function securityScheme({
  dialect: { credential },
  guard,
}: LoadedInterface): Record<string, JsonObject> {
  switch (credential.kind) {
    case 'bearer':
      return { Bearer: { type: 'http', scheme: 'bearer', description: 'A key of a workspace.' } }
    case 'header':
      return {
        [credential.header]: {
          type: 'apiKey',
          in: 'header',
          name: credential.header,
          description: 'A key of a workspace.',
        },
      }
    case 'open':
      return guard ? { Token: GUARDED } : {}
  }
}

const GUARDED = {
  type: 'http',
  scheme: 'bearer',
  description: 'The token that the server was started with. A server without a token needs none.',
}

/** Lists the accepted credentials; no credential is also accepted for a guard without a token. */
export function securityOf(definition: LoadedInterface): JsonObject[] {
  const schemes = Object.keys(securityScheme(definition)).map((name) => ({ [name]: [] }))
  return definition.dialect.credential.kind === 'open' && definition.guard ? [...schemes, {}] : schemes
}

/** Returns the credentials of an operation if they differ from the document's. */
export const securityOverride = (
  { security }: DocumentPart,
  wantedSecurity: readonly JsonObject[],
): JsonObject =>
  JSON.stringify(wantedSecurity) === JSON.stringify(security) ? {} : { security: wantedSecurity }

export const challenges = ({ dialect: { credential }, guard }: LoadedInterface): boolean =>
  credential.kind === 'bearer' || (credential.kind === 'open' && guard !== undefined)
