/** Hooks for calls to the server: loading state, value and error. */
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { SimulatorError } from '@suite-sim/client/errors'
import { needsToken, errorMessageOf } from './server.ts'

export interface RequestState<Value> {
  readonly value: Value | null
  readonly problem: string | null
  /** Whether the server does not have it. */
  readonly isMissing?: boolean
  /** Calls the server again, after the call in flight. The current value stays until the response arrives. */
  readonly reload: () => void
}

/** True if the next attempt may succeed. What the user has open or typed in the page stays until then. */
const isTransient = (error: unknown): boolean =>
  error instanceof SimulatorError && (error.status === null || error.status >= 500)

/** The number of parts of the page that have no content yet. */
let loadingCount = 0
const onLoading = new Set<() => void>()

/** Notes that a part of the page has no content yet, so that the page says that it loads. */
export function useLoading(isLoading: boolean): void {
  useLayoutEffect(() => {
    if (!isLoading) return
    const add = (change: number): void => {
      loadingCount += change
      for (const notify of onLoading) notify()
    }
    add(1)
    return () => {
      add(-1)
    }
  }, [isLoading])
}

/** Returns whether a part of the page has no content yet. */
export function useIsLoading(): boolean {
  const [isLoading, setIsLoading] = useState(loadingCount > 0)
  useLayoutEffect(() => {
    const update = (): void => {
      setIsLoading(loadingCount > 0)
    }
    onLoading.add(update)
    update()
    return () => {
      onLoading.delete(update)
    }
  }, [])
  return isLoading
}

/** Calls the server when one of the `dependencies` changes. */
export function useRequest<Value>(
  call: () => Promise<Value>,
  dependencies: readonly unknown[],
): RequestState<Value> {
  const [state, setState] = useState<Omit<RequestState<Value>, 'reload'>>({ value: null, problem: null })
  const [isLoading, setIsLoading] = useState(true)
  useLoading(isLoading)
  const latest = useRef(call)
  latest.current = call
  /** The request in flight, and whether another one follows it. */
  const running = useRef<{ isOutdated: boolean } | null>(null)
  const reload = useCallback(() => {
    if (running.current) {
      // Its response still counts. Otherwise frequent reloads would discard every response of a slow server.
      running.current.isOutdated = true
      return
    }
    const own = { isOutdated: false }
    running.current = own
    const finish = (change: () => void): void => {
      if (own !== running.current) return
      running.current = null
      setIsLoading(false)
      change()
      if (own.isOutdated) reload()
    }
    latest.current().then(
      (value) => {
        finish(() => {
          setState({ value, problem: null })
        })
      },
      (error: unknown) => {
        finish(() => {
          if (needsToken(error)) return
          const problem = errorMessageOf(error)
          const isMissing = error instanceof SimulatorError && error.status === 404
          setState((before) => ({ value: isTransient(error) ? before.value : null, problem, isMissing }))
        })
      },
    )
  }, [])
  useEffect(() => {
    setState((before) =>
      before.value === null && before.problem === null ? before : { value: null, problem: null },
    )
    setIsLoading(true)
    reload()
    return () => {
      // Discards a response that is still in flight, because it belongs to the old dependencies.
      running.current = null
    }
    // The caller provides the dependencies.
  }, dependencies)
  return { ...state, reload }
}

/** Calls `reload` in intervals, for what is not in the timeline. */
export function usePoll(reload: () => void, intervalMs: number): void {
  const latest = useRef(reload)
  latest.current = reload
  useEffect(() => {
    const timer = setInterval(() => {
      latest.current()
    }, intervalMs)
    return () => {
      clearInterval(timer)
    }
  }, [intervalMs])
}

export interface ActionState {
  readonly isBusy: boolean
  readonly problem: string | null
  /** Runs an action, unless one is running. */
  readonly run: (action: () => Promise<void>) => void
}

/** State of a button action: whether it is running, and its error. */
export function useAction(): ActionState {
  const [state, setState] = useState<{ isBusy: boolean; problem: string | null }>({
    isBusy: false,
    problem: null,
  })
  const isBusy = useRef(false)
  const run = useCallback((action: () => Promise<void>) => {
    if (isBusy.current) return
    isBusy.current = true
    setState({ isBusy: true, problem: null })
    const finish = (problem: string | null): void => {
      isBusy.current = false
      setState({ isBusy: false, problem })
    }
    action().then(
      () => {
        finish(null)
      },
      (error: unknown) => {
        finish(needsToken(error) ? null : errorMessageOf(error))
      },
    )
  }, [])
  return { ...state, run }
}
