/** The routes of the control plane. OPERATING.md, "Control plane". */
import type { Resource, Wire } from '../http/definition/definition.ts'
import { access } from './access/accessCall.ts'
import { backups } from './server/backups.ts'
import { calls } from './shared/calls.ts'
import { clocks } from './workspaces/clocks.ts'
import { findWorkspace, type ControlContext } from './shared/context.ts'
import { deliveries } from './webhooks/deliveries.ts'
import { counts } from './journal/counts.ts'
import { coverage } from './journal/coverage.ts'
import { dashboard } from './server/dashboard.ts'
import { controlDialect, type ControlResource } from './shared/dialect.ts'
import { docsPage } from './server/docsPage.ts'
import { diff } from './journal/diff.ts'
import { documents } from './server/documents.ts'
import { emails } from './records/emails.ts'
import { faults } from './faults/faults.ts'
import { guard } from './access/guard.ts'
import { findRecords } from './records/findRecords.ts'
import { guide } from './server/guide.ts'
import { health } from './server/health.ts'
import { mountIndexPage } from './server/indexPage.ts'
import { keys } from './workspaces/keys.ts'
import { listen } from './webhooks/listen.ts'
import { machines } from './records/machines.ts'
import { metrics } from './server/metrics.ts'
import { receiver } from './webhooks/receiver.ts'
import { readings } from './records/readings.ts'
import { recordings } from './recordings/recordings.ts'
import { turns } from './recordings/turns.ts'
import { reach } from './records/reach/reach.ts'
import { records } from './records/records.ts'
import { requests } from './journal/requests.ts'
import { resets } from './workspaces/resets.ts'
import { savedSnapshots } from './snapshots/savedSnapshots.ts'
import { search } from './journal/search.ts'
import { snapshots } from './snapshots/snapshots.ts'
import { subscriptions } from './webhooks/subscriptions.ts'
import { TimeTravel } from './workspaces/timetravel.ts'
import { timeline } from './journal/timeline.ts'
import { triggers } from './records/triggers.ts'
import { refuseUnknownNames } from './shared/unknownNames.ts'
import { unmatchedRequests } from './journal/unmatchedRequests.ts'
import { Waiting } from './shared/waiting.ts'
import { workspaces } from './workspaces/workspaces.ts'

export function wire(context: ControlContext): Wire {
  const waiting = new Waiting()
  const tools = { travel: new TimeTravel(context.webhooks), waiting }
  const own =
    (resource: ControlResource): Resource =>
    (app) =>
      resource(app, context, tools)

  /** Ends all waits before the server closes, because closing waits for requests in flight. */
  const release: Resource = async (app) => {
    app.addHook('preClose', (done) => {
      waiting.release()
      done()
    })
  }

  return {
    dialect: controlDialect,
    fallbackPaths: [...context.interfaces.map(({ basePath }) => basePath), '/_sim'],
    cablePaths: context.interfaces.flatMap(({ cablePath }) => cablePath ?? []),
    prepare: (app) => {
      mountIndexPage(app, context)
    },
    guard: guard(context),
    strictness: refuseUnknownNames,
    turns: turns(context),
    findWorkspace: findWorkspace(context),
    resources: [
      release,
      ...[
        health,
        access,
        workspaces,
        keys,
        resets,
        snapshots,
        savedSnapshots,
        clocks,
        triggers,
        reach,
        machines,
        readings,
      ].map(own),
      context.extension.calls,
      ...[
        subscriptions,
        deliveries,
        listen,
        emails,
        requests,
        unmatchedRequests,
        faults,
        records,
        findRecords,
        diff,
        recordings,
        timeline,
        counts,
        search,
        coverage,
        calls,
        documents,
        metrics,
        backups,
        docsPage,
        dashboard,
        guide,
        receiver,
      ].map(own),
    ],
  }
}
