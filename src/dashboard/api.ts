/** Calls to the server as what a component shows: loading, an answer or what went wrong. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { wantsToken, wordsOf } from './server.ts'

export interface Asked<Value> {
  readonly value: Value | null
  readonly problem: string | null
  /** Asks again; what is there stays until the answer has come. */
  readonly reload: () => void
}

/** Asks when something of `about` has changed. */
export function useAsked<Value>(ask: () => Promise<Value>, about: readonly unknown[]): Asked<Value> {
  const [state, setState] = useState<{ value: Value | null; problem: string | null }>({
    value: null,
    problem: null,
  })
  const latest = useRef(ask)
  latest.current = ask
  const turn = useRef(0)
  const reload = useCallback(() => {
    const mine = ++turn.current
    latest.current().then(
      (value) => {
        if (mine === turn.current) setState({ value, problem: null })
      },
      (error: unknown) => {
        if (mine === turn.current && !wantsToken(error)) setState({ value: null, problem: wordsOf(error) })
      },
    )
  }, [])
  useEffect(() => {
    setState((before) =>
      before.value === null && before.problem === null ? before : { value: null, problem: null },
    )
    reload()
    return () => {
      // What is on its way was asked about something else.
      turn.current++
    }
    // What it is about is the caller's to say.
  }, about)
  return { ...state, reload }
}

export interface Doing {
  readonly isBusy: boolean
  readonly problem: string | null
  /** Does it unless it is being done. */
  readonly run: (deed: () => Promise<void>) => void
}

/** Something that a button does: while it is under way, and what went wrong. */
export function useDoing(): Doing {
  const [state, setState] = useState<{ isBusy: boolean; problem: string | null }>({
    isBusy: false,
    problem: null,
  })
  const isBusy = useRef(false)
  const run = useCallback((deed: () => Promise<void>) => {
    if (isBusy.current) return
    isBusy.current = true
    setState({ isBusy: true, problem: null })
    const ended = (problem: string | null): void => {
      isBusy.current = false
      setState({ isBusy: false, problem })
    }
    deed().then(
      () => {
        ended(null)
      },
      (error: unknown) => {
        ended(wantsToken(error) ? null : wordsOf(error))
      },
    )
  }, [])
  return { ...state, run }
}
