/** Checks who calls an operation, and whether the caller may. */
import type { Caller } from '../../state/workspace/keys.ts'
import { Refusal } from '../../state/model/refusal.ts'
import type { Registry } from '../../state/workspace/registry.ts'
import type { Hook, LoadedInterface } from '../definition/definition.ts'
import { scopesOf, type Operation } from '../definition/operation.ts'
import { JSON_TYPE } from '../server/json.ts'
import { identify } from './credentials.ts'

/** Returns the hook that checks the key, its expiry, interface, scope and module, and sets the workspace. */
export const authenticate =
  (definition: LoadedInterface, workspaces: Registry): Hook =>
  (request, reply, done) => {
    // Handlers return JSON text; others set their own type.
    reply.type(JSON_TYPE)
    const operation = request.routeOptions.config.operation
    if (operation?.open) {
      done()
      return
    }
    try {
      const caller = identify(definition, request, workspaces)
      if (operation) mustBeAllowed(caller, operation)
      request.caller = caller
      request.workspace = caller.workspace
    } catch (error) {
      done(error as Error)
      return
    }
    done()
  }

function mustBeAllowed(caller: Caller, operation: Operation): void {
  const { scopes, workspace } = caller
  if (scopes) {
    for (const scope of scopesOf(operation)) {
      if (!scopes.has(scope) && !(operation.orScope !== undefined && scopes.has(operation.orScope))) {
        throw new Refusal('forbidden', `The key lacks the permission ${scope}.`)
      }
    }
  }
  if (operation.module && !workspace.modules[operation.module]) {
    throw new Refusal('not_enabled', `The ${operation.module} module is not active in this workspace.`)
  }
  if (operation.plan && !workspace.plan[operation.plan]) {
    throw new Refusal('not_enabled', 'The plan of this workspace does not include access to the API.')
  }
}
