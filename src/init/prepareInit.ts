/**
 * Prepares a file with calls of --fixtures, and the files of --init, for the start of a server. They run in a new database
 * only, and after each reset.
 */
import { CommandError, UsageError } from '@suite-sim/kit/terminal/problem'
import type { App } from '../app.ts'
import { Refusal } from '../state/model/refusal.ts'
import { markUnfinished } from './unfinished.ts'
import { InitError } from './errors.ts'
import { readInitFile, readInitFolder } from './files.ts'
import { isInitFile } from './isInitFile.ts'
import { runInit, summaryOf } from './runInit.ts'
import type { InitPlan } from './steps.ts'

export interface InitSettings {
  readonly fixtures?: string | undefined
  readonly init?: string | undefined
}

/** The files, and what they did. */
export interface Init {
  /** The names of the files. */
  readonly files: readonly string[]
  result: string
  /** Runs the files if the database is new. If one fails, the mark of an unfinished database stays. */
  start(app: App, adminToken: string | null): Promise<void>
  /** Returns the key that the file of --fixtures gives its workspace; null without one, or if the key was deleted. */
  key(app: App): string | null
}

/** Reads the files. Throws a CommandError with a one-line message if one is wrong; `start` does, too. */
export async function prepareInit({ fixtures = '', init: folder }: InitSettings): Promise<Init> {
  const fixture = isInitFile(fixtures) ? await readInitFile(fixtures).catch(throwFixtureProblem) : null
  const others = folder === undefined ? null : await readInitFolder(folder).catch(throwInitProblem)
  const files = [fixture, others].flatMap((plan) => plan?.files ?? [])
  const runAll = async (app: App, adminToken: string | null): Promise<void> => {
    if (fixture) await runInit(app, adminToken, fixture).catch(throwFixtureProblem)
    if (others) await runInit(app, adminToken, others).catch(throwInitProblem)
  }
  const init: Init = {
    files: files.map(({ name }) => name),
    result: 'not run, because the database exists already',
    async start(app, adminToken) {
      const { startup, workspaces } = app
      /** A server that dies or stops before the last file has run leaves the mark. */
      const mark = (): (() => void) => {
        const finish = markUnfinished(workspaces.database.file)
        return () => {
          if (startup.phase !== 'stopping') finish()
        }
      }
      startup.duringReset = async (reset) => {
        const release = startup.holdRequests()
        const finish = mark()
        try {
          await reset()
          await runAll(app, adminToken)
        } catch (error) {
          if (!(error instanceof CommandError)) throw error
          // Nothing of the files stays.
          await reset()
          throw new Refusal(
            'unavailable',
            `The server was reset, but its files did not run. ${error.message}`,
          )
        } finally {
          finish()
          release()
        }
      }
      if (!workspaces.database.isNew) return
      const finish = mark()
      await runAll(app, adminToken)
      finish()
      init.result = summaryOf(files)
    },
    key: ({ workspaces }) => {
      const key = fixture && keyOf(fixture)
      return typeof key === 'string' && workspaces.keys.caller(key) ? key : null
    },
  }
  return init
}

/** Returns the key in the first workspace of the files. */
const keyOf = ({ files }: InitPlan): unknown =>
  files.flatMap(({ steps }) => steps).find(({ kind }) => kind === 'workspaces')?.entry['key']

function throwFixtureProblem(error: unknown): never {
  throw error instanceof InitError ? new CommandError(`cannot use the fixture ${error.message}`) : error
}

function throwInitProblem(error: unknown): never {
  throw error instanceof InitError ? new UsageError(`--init: ${error.message}`) : error
}
