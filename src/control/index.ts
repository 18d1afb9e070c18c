/** The control plane, defined like any other interface. OPERATING.md, "Control plane". */
import type { InterfaceDefinition, Resource } from '../http/definition.ts'
import { calls } from './calls.ts'
import { clocks } from './clocks.ts'
import { runDueJobsFirst, type ControlContext } from './context.ts'
import { deliveries } from './deliveries.ts'
import { coverage } from './coverage.ts'
import { dashboard } from './dashboard.ts'
import { controlDialect } from './dialect.ts'
import { docsPage } from './docsPage.ts'
import { documents } from './documents.ts'
import { emails } from './emails.ts'
import { faults } from './faults.ts'
import { guard } from './guard.ts'
import { mountGuide } from './guide.ts'
import { health } from './health.ts'
import { keys } from './keys.ts'
import { machines } from './machines.ts'
import { metrics } from './metrics.ts'
import { receiver } from './receiver.ts'
import { records } from './records.ts'
import { requests } from './requests.ts'
import { resets } from './resets.ts'
import { savedSnapshots } from './savedSnapshots.ts'
import { snapshots } from './snapshots.ts'
import { subscriptions } from './subscriptions.ts'
import { TimeTravel } from './timetravel.ts'
import { timeline } from './timeline.ts'
import { triggers } from './triggers.ts'
import { refuseUnknownNames } from './unknownNames.ts'
import { unmatchedRequests } from './unmatchedRequests.ts'
import { Waiting } from './waiting.ts'
import { workspaces } from './workspaces.ts'

export function controlPlane(context: ControlContext): InterfaceDefinition {
  const travel = new TimeTravel(context.webhooks)
  const waiting = new Waiting()

  /** Ends all waits before the server closes, because closing waits for requests in flight. */
  const release: Resource = async (app) => {
    app.addHook('preClose', (done) => {
      waiting.release()
      done()
    })
  }

  return {
    name: 'control',
    title: 'Control plane',
    description: 'Controls the simulator: workspaces, keys, clocks, state, triggers and webhooks.',
    basePath: '/_sim',
    dialect: controlDialect,
    extraRoutes: (app) => {
      mountGuide(app, context)
    },
    guard: guard(context),
    strictness: refuseUnknownNames,
    settling: runDueJobsFirst(context),
    resources: [
      release,
      health(context),
      workspaces(context, travel),
      keys(context),
      resets(context, travel),
      snapshots(context, travel),
      savedSnapshots(context, travel),
      clocks(context, travel),
      triggers(context),
      machines(context),
      subscriptions(context),
      deliveries(context, waiting),
      emails(context, waiting),
      requests(context, waiting),
      unmatchedRequests(context, waiting),
      faults(context),
      records(context, waiting),
      timeline(context),
      coverage(context),
      calls(context),
      documents(context),
      metrics(context),
      docsPage(context),
      dashboard(context),
      receiver,
    ],
  }
}
