/** Checks who calls an operation, and whether the caller may. */
import type { Caller } from '../../state/workspace/keys.ts'
import { Refusal } from '../../state/model/refusal.ts'
import type { Registry } from '../../state/workspace/registry.ts'
import type { Hook, LoadedInterface, MountedRoute } from '../definition/definition.ts'
import { scopesOf, type Operation } from '../definition/operation.ts'
import { JSON_TYPE } from '../server/json.ts'
import { identify } from './credentials.ts'
import { areaScopeOf, unlistedScopes } from '../definition/unlistedScopes.ts'

/** Returns the hook that checks the key, its expiry, interface, scope and module, and sets the workspace. */
export const authenticate =
  (definition: LoadedInterface, workspaces: Registry, routes: readonly MountedRoute[]): Hook =>
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
      // Before the checks, whose refusals follow the readings of the workspace.
      request.caller = caller
      request.workspace = caller.workspace
      if (operation) mustBeAllowed(caller, operation, () => areaScopeOf(operation, routes))
    } catch (error) {
      done(error as Error)
      return
    }
    done()
  }

function mustBeAllowed(caller: Caller, operation: Operation, areaScope: () => string | undefined): void {
  const { scopes, workspace } = caller
  if (scopes && operation.scope === undefined && workspace.reading(unlistedScopes) === 'area') {
    const scope = areaScope()
    if (scope !== undefined && !scopes.has(scope)) {
      throw new Refusal('forbidden', `The key lacks the permission ${scope}.`, { reading: unlistedScopes })
    }
  }
  if (scopes) {
    for (const scope of scopesOf(operation)) {
      if (!scopes.has(scope) && !(operation.orScope !== undefined && scopes.has(operation.orScope))) {
        throw new Refusal('forbidden', `The key lacks the permission ${scope}.`)
      }
    }
  }
  const { module, moduleIf } = operation
  const needsModule = !moduleIf || workspace.reading(moduleIf.reading) === moduleIf.is
  if (module && needsModule && !workspace.modules[module]) {
    const message = `The ${module} module is not active in this workspace.`
    throw new Refusal('not_enabled', message, moduleIf && { reading: moduleIf.reading })
  }
  if (operation.plan && !workspace.plan[operation.plan]) {
    throw new Refusal('not_enabled', 'The plan of this workspace does not include access to the API.')
  }
}
