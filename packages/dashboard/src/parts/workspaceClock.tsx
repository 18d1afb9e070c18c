/** The clock of a workspace. */
import type { Workspace } from '../server.ts'
import { Badge } from './common.tsx'
import { useClock, useTicking } from './times.tsx'

export function WorkspaceClock({ workspace }: { workspace: Workspace }) {
  const { value, problem } = useClock()
  const now = useTicking(value)
  if (now === null) return <>{problem ?? ''}</>
  return (
    <span class="ticking">
      {clockText(now, workspace.timezone)} {value?.frozen && <Badge tone="info">frozen</Badge>}
    </span>
  )
}

export const clockText = (now: number, timeZone: string): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'medium', timeStyle: 'medium' }).format(
    new Date(now),
  )
