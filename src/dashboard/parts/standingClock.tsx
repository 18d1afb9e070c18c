/** The clock of a workspace, which goes on by itself between two looks at it unless it stands still. */
import { useEffect, useState } from 'preact/hooks'
import { useAsked } from '../api.ts'
import { useLive } from '../live.ts'
import { server, type Workspace } from '../server.ts'
import { Badge } from './common.tsx'

/** When it was asked, by the clock of the page, and what it showed. */
interface Look {
  readonly at: number
  readonly now: number
  readonly frozen: boolean
}

export function useClock(workspace: string) {
  const asked = useAsked(async (): Promise<Look> => {
    const { now, frozen } = await server().call('getClock', { path: { id: workspace } })
    return { at: performance.now(), now: new Date(now).getTime(), frozen }
  }, [workspace])
  useLive(['job', 'trigger'], asked.reload)
  return asked
}

export function useTicking(look: Look | null): number | null {
  const [, setTick] = useState(0)
  useEffect(() => {
    if (look?.frozen !== false) return
    const timer = setInterval(() => {
      setTick((tick) => tick + 1)
    }, 1000)
    return () => {
      clearInterval(timer)
    }
  }, [look?.frozen])
  return look === null ? null : look.frozen ? look.now : look.now + performance.now() - look.at
}

export function StandingClock({ workspace }: { workspace: Workspace }) {
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
