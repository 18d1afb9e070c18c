/** The control plane, defined like any other interface. OPERATING.md, "Control plane". */
import type { InterfaceDefinition } from '../http/definition/definition.ts'
import { renderUnchanged } from '../state/workspace/events.ts'
import type { ControlContext } from './shared/context.ts'

export const controlPlane = (context: ControlContext): InterfaceDefinition => ({
  name: 'control',
  title: 'Control plane',
  description: 'Controls the simulator: workspaces, keys, clocks, state, triggers and webhooks.',
  basePath: '/_sim',
  webSocketPath: /^\/_sim\/workspaces\/[^/]+\/listen$/,
  machines: [],
  records: [],
  renderEvent: renderUnchanged,
  load: async () => (await import('./wire.ts')).wire(context),
})
