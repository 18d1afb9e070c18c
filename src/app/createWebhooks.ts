/** Creates the queue of webhook deliveries. */
import type { InterfaceDefinition } from '../http/definition/definition.ts'
import type { Registry } from '../state/workspace/registry.ts'
import { VERSION } from '../version.ts'
import { WITHIN_THIS_MACHINE } from '../webhooks/targets/allowedTargets.ts'
import { profile } from '../webhooks/profiles/profile.ts'
import { Webhooks } from '../webhooks/queue.ts'
import type { AppOptions } from './options.ts'

export function createWebhooks(
  {
    webhookTimeoutMs: timeoutMs,
    closeGraceMs: graceMs,
    webhookHttpHosts: httpHosts = [],
    logger,
  }: AppOptions,
  interfaces: readonly InterfaceDefinition[],
  workspaces: Registry,
  publicUrl: string | null,
): Webhooks {
  const profiles = interfaces.map(({ name, eventTime }) =>
    profile({ interface: name, ...(eventTime !== undefined && { eventTime }) }),
  )
  return new Webhooks(workspaces, profiles, {
    userAgent: `suite-simulator/${VERSION}`,
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(graceMs !== undefined && { graceMs }),
    targets: { ...WITHIN_THIS_MACHINE, httpHosts, publicUrl },
    ...(logger && { logger }),
  })
}
