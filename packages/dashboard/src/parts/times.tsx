/** Times of entries, relative to the clock of the workspace, and the days that separate them in lists. */
import { createContext, type ComponentChildren } from 'preact'
import { useContext, useEffect, useState } from 'preact/hooks'
import { usePoll, useRequest, type RequestState } from '../api.ts'
import { useLive } from '../live.ts'
import { server, type Workspace } from '../server.ts'
import { exactTime, formatDate, SHORT_DAY, TIME } from './dates.ts'

/** The clock of the workspace, and the time of the page when it was read. */
export interface ClockReading {
  readonly at: number
  readonly now: number
  readonly frozen: boolean
}

interface Times {
  readonly clock: RequestState<ClockReading>
  readonly timeZone: string
  /** The time of the workspace, which changes every ten seconds; null until the clock is read. */
  readonly now: number | null
}

const STEP_MS = 10_000

const NO_TIMES: Times = {
  clock: { value: null, problem: null, reload: () => undefined },
  timeZone: 'UTC',
  now: null,
}

const TimesContext = createContext<Times>(NO_TIMES)

export const useTimes = (): Times => useContext(TimesContext)
export const useClock = (): Times['clock'] => useTimes().clock

const nowOf = ({ at, now, frozen }: ClockReading): number => (frozen ? now : now + performance.now() - at)

const reloads = new Set<() => void>()

/** Reads the clock again after a part of the page has moved it. */
export function reloadClock(): void {
  for (const reload of reloads) reload()
}

/** Provides the clock of a workspace, which ticks locally between two readings, unless it is frozen. */
export function TimesProvider({
  workspace,
  children,
}: {
  workspace: Workspace
  children: ComponentChildren
}) {
  const clock = useRequest(async (): Promise<ClockReading> => {
    const { now, frozen } = await server().call('getClock', { path: { id: workspace.id } })
    return { at: performance.now(), now: new Date(now).getTime(), frozen }
  }, [workspace.id])
  useMovedClock(clock)
  useEffect(() => {
    reloads.add(clock.reload)
    return () => {
      reloads.delete(clock.reload)
    }
  }, [])
  const [, setStep] = useState(0)
  usePoll(() => {
    setStep((step) => step + 1)
  }, STEP_MS)
  const now = clock.value && Math.floor(nowOf(clock.value) / STEP_MS) * STEP_MS
  return (
    <TimesContext.Provider value={{ clock, timeZone: workspace.timezone, now }}>
      {children}
    </TimesContext.Provider>
  )
}

/** Reads the clock again after jobs and triggers, and after entries whose time shows that it was moved. */
function useMovedClock({ value, reload }: RequestState<ClockReading>): void {
  useLive(({ kind, at }) => {
    const isMoved = value && Math.abs(new Date(at).getTime() - nowOf(value)) > 2000
    return kind === 'job' || kind === 'trigger' || isMoved === true
  }, reload)
}

/** Returns the time of the clock, every second. */
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
  return reading && nowOf(reading)
}

interface AgoProps {
  readonly at: string
  /** Whether the list says the day above. */
  readonly hasDay?: boolean
}

/**
 * The age of an entry: "2 min ago". It is relative to the clock of the workspace, because entries have its time: with a
 * frozen clock they do not age, and after an advance by a day they are from yesterday. The title has the exact time.
 */
export function Ago({ at, hasDay = false }: AgoProps) {
  const { now, timeZone } = useTimes()
  return (
    <time dateTime={at} title={exactTime(at, timeZone)}>
      {(now === null ? null : ageOf(new Date(at).getTime(), now)) ?? (
        <>
          <span class={hasDay ? 'visually-hidden' : undefined}>{formatDate(at, timeZone, SHORT_DAY)}, </span>
          {formatDate(at, timeZone, TIME)}
        </>
      )}
    </time>
  )
}

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Returns the age in words; null if the time differs by a day or more, or is in the future. */
export function ageOf(at: number, now: number): string | null {
  const age = now - at
  // The time of the page changes every ten seconds, so that new entries may be ahead of it.
  if (age < -STEP_MS || age >= 24 * HOUR) return null
  if (age < 10 * SECOND) return 'just now'
  if (age < MINUTE) return `${String(Math.floor(age / STEP_MS) * 10)} s ago`
  if (age < HOUR) return `${String(Math.floor(age / MINUTE))} min ago`
  return `${String(Math.floor(age / HOUR))} h ago`
}
