/** What a command has from its process: streams, variables, signals and the exit. */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Readable, Writable } from 'node:stream'

export type Signal = 'SIGINT' | 'SIGTERM' | 'SIGHUP'

/** The process itself, or what stands for it where a command runs inside another program. */
export interface Io {
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number }
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number }
  env: NodeJS.ProcessEnv
  exitCode?: number | string | null | undefined
  on(signal: Signal, listener: (signal: Signal) => void): unknown
  once(signal: Signal, listener: (signal: Signal) => void): unknown
  off(signal: Signal, listener: (signal: Signal) => void): unknown
  /** Ends the command. Returns only if the program goes on without it. */
  exit(code?: number | string | null): void
}

/** Only a command inside another program sets this, because it slows each promise down. */
const current = new AsyncLocalStorage<Io>()

/** Returns what the running command writes to and reads from. Only pipes.ts ends it, when its output has been read. */
export const io = (): Omit<Io, 'exit'> => currentIo()

export const currentIo = (): Io => current.getStore() ?? process

/** Runs `act`, and everything that it starts, with other streams, variables and signals. */
export const withIo = <Result>(given: Io, act: () => Result): Result =>
  given === process ? act() : current.run(given, act)
