/** The time until a future instant, on the clock of the workspace: "in 5 min". */
import { exactTime } from './dates.ts'
import { useTimes } from './times.tsx'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

export function Until({ at }: { at: string }) {
  const { now, timeZone } = useTimes()
  return (
    <time dateTime={at} title={exactTime(at, timeZone)}>
      {now === null ? '' : untilText(Date.parse(at) - now)}
    </time>
  )
}

export function untilText(ms: number): string {
  if (ms <= 0) return 'now'
  if (ms < MINUTE) return 'in less than 1 min'
  if (ms < HOUR) return `in ${String(Math.floor(ms / MINUTE))} min`
  if (ms < DAY) return `in ${String(Math.floor(ms / HOUR))} h`
  const days = Math.floor(ms / DAY)
  return days === 1 ? 'in 1 day' : `in ${String(days)} days`
}
