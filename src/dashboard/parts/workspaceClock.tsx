/** The clock of a workspace. It ticks locally between two calls, unless it is frozen. */
import { useEffect, useState } from 'preact/hooks'
import { useRequest } from '../api.ts'
import { useLive } from '../live.ts'
import { server, type Workspace } from '../server.ts'
import { Badge } from './common.tsx'

/** The clock of the workspace, and the time of the page when it was loaded. */
interface ClockReading {
  readonly at: number
  readonly now: number
  readonly frozen: boolean
}

export function useClock(workspace: string) {
  const request = useRequest(async (): Promise<ClockReading> => {
    const { now, frozen } = await server().call('getClock', { path: { id: workspace } })
    return { at: performance.now(), now: new Date(now).getTime(), frozen }
  }, [workspace])
  useLive(['job', 'trigger'], request.reload)
  return request
}

export function useTicking(reading: ClockReading | null): number | null {
  const [, setTick] = useState(0)
  useEffect(() => {
    if (reading?.frozen !== false) return
    const timer = setInterval(() => {
      setTick((tick) => tick + 1)
    }, 1000)
    return () => {
      clearInterval(timer)
    }
  }, [reading?.frozen])
  return reading === null ? null : reading.frozen ? reading.now : reading.now + performance.now() - reading.at
}

export function WorkspaceClock({ workspace }: { workspace: Workspace }) {
  const { value, problem } = useClock(workspace.id)
  const now = useTicking(value)
  if (now === null) return <>{problem ?? ''}</>
  return (
    <>
      {clockText(now, workspace.timezone)} {value?.frozen && <Badge tone="info">frozen</Badge>}
    </>
  )
}

export const clockText = (now: number, timeZone: string): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'medium', timeStyle: 'medium' }).format(
    new Date(now),
  )
