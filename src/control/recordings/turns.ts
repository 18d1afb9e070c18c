/** The calls of the control plane that are steps of a recording. */
import type { preValidationHookHandler } from 'fastify'
import { enterTurn, type StepFacts } from '../../http/server/recording.ts'
import { iso } from '@suite-sim/kit/time/instants'
import { MAX_STEP_BYTES } from '../../state/timeline/recordings.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import type { ControlContext } from '../shared/context.ts'
import { recordedSnapshot, settingsView } from './recordingFile.ts'

/** Operations that change the state of a workspace. Keys are no part of it. */
const RECORDED: ReadonlySet<string> = new Set([
  'updateWorkspace',
  'createUser',
  'setClock',
  'advanceClock',
  'pullTrigger',
  'createSubscription',
  'deleteSubscription',
  'redeliver',
  'redeliverAll',
  'createFault',
  'deleteFault',
  'deleteFaults',
])

/** Operations that replace all records. Their steps have the new state, because a replay has another start. */
const REPLACING: ReadonlySet<string> = new Set(['resetWorkspace', 'restoreSnapshot', 'putSnapshot'])

/** Returns the hook that gives a recorded call its turn. */
export const turns =
  (context: ControlContext): preValidationHookHandler =>
  (request, _reply, done) => {
    const id = request.routeOptions.config.operation?.id ?? ''
    const isReplacing = REPLACING.has(id)
    if (!isReplacing && !RECORDED.has(id)) {
      done()
      return
    }
    const { id: workspaceId = '' } = request.params as { readonly id?: string }
    const workspace = context.workspaces.find(workspaceId)
    if (!workspace) {
      done()
      return
    }
    // A reset does not wait for due jobs, except in a recording.
    if (id === 'resetWorkspace' && !workspace.recording.isOn) {
      done()
      return
    }
    request.workspace = workspace
    if (isReplacing) request.stepFacts = () => replacedState(context, workspace)
    enterTurn(request, done)
  }

async function replacedState(context: ControlContext, workspace: Workspace): Promise<StepFacts> {
  const { active } = workspace.recording
  if (!active) return { members: {}, missingBytes: 0 }
  const snapshot = await recordedSnapshot(context, workspace, active.id, MAX_STEP_BYTES)
  if (snapshot.text === null) return { members: {}, missingBytes: snapshot.bytes }
  return {
    members: {
      now: JSON.stringify(iso(workspace.now())),
      settings: JSON.stringify(settingsView(workspace)),
      snapshot: snapshot.text,
    },
    missingBytes: 0,
  }
}
