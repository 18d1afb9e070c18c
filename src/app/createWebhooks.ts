/** Creates the queue of webhook deliveries. */
import type { InterfaceDefinition, OtherBody } from '../http/definition/definition.ts'
import type { Registry } from '../state/workspace/registry.ts'
import { VERSION } from '@suite-sim/kit/version'
import { WITHIN_THIS_MACHINE } from '../webhooks/targets/allowedTargets.ts'
import { profile, type DeliveryProfile } from '../webhooks/profiles/profile.ts'
import { Webhooks } from '../webhooks/queue.ts'
import type { Addresses } from './addresses.ts'
import type { AppOptions } from './options.ts'

export function createWebhooks(
  {
    webhookTimeoutMs: timeoutMs,
    closeGraceMs: graceMs,
    listenerGraceMs,
    webhookHttpHosts: httpHosts = [],
    logger,
  }: AppOptions,
  interfaces: readonly InterfaceDefinition[],
  workspaces: Registry,
  { publicUrl, isShared }: Pick<Addresses, 'publicUrl' | 'isShared'>,
): Webhooks {
  const profiles = interfaces.map(({ name, eventTime, otherBody, schedule }) =>
    profile({
      interface: name,
      ...(eventTime !== undefined && { eventTime }),
      ...(otherBody && { otherBody: renderUnder(otherBody) }),
      ...(schedule && { schedule }),
    }),
  )
  return new Webhooks(workspaces, profiles, {
    userAgent: `suite-simulator/${VERSION}`,
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(graceMs !== undefined && { graceMs }),
    ...(listenerGraceMs !== undefined && { listenerGraceMs }),
    targets: { ...WITHIN_THIS_MACHINE, httpHosts, publicUrl, isOpen: isShared },
    ...(logger && { logger }),
  })
}

/** Returns the function that renders the other body if the reading of the workspace asks for it. */
const renderUnder =
  ({ when, render }: OtherBody): NonNullable<DeliveryProfile['otherBody']> =>
  (event, workspace) =>
    workspace.reading(when.reading) === when.is ? render(event, workspace) : null
