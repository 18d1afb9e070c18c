/** Reads recordings and HAR files. Both become the same steps. */
import { readFileSync, statSync } from 'node:fs'
import { RECORDING_FORMAT } from '@suite-sim/kit/calls/recordingFormat'
import { UsageError } from '@suite-sim/kit/terminal/problem'
import { checkRecording } from './format/checks.ts'
import { harRecording } from './har.ts'
import { isObject, type Recording } from './format/recording.ts'

/** The maximum size of a file. The server writes at most 16 MiB of snapshot, 32 MiB of steps and the diff. */
const MAX_FILE_BYTES = 128 * 1024 * 1024

/** The deepest level of a file. The server writes bodies of at most 64 levels, inside a few others. */
const DEEPEST = 200

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'the file does not exist',
  ENOTDIR: 'the file does not exist',
  EISDIR: 'it is a folder',
  EACCES: 'this user may not read it',
}

/** Reads a recording or a HAR file. Throws a UsageError that names the file and the place of the error. */
export function readRecording(file: string): Recording {
  const value = parse(file, readBounded(file))
  if (!isObject(value)) throw new UsageError(`${file}: the file must contain a JSON object`)
  if (isDeep(value)) {
    throw new UsageError(`${file}: the file must have at most ${String(DEEPEST)} levels of lists and objects`)
  }
  if (isObject(value['log'])) return harRecording(file, value['log'])
  if (value['format'] !== RECORDING_FORMAT) {
    throw new UsageError(
      `${file}: format must be "${RECORDING_FORMAT}", from POST /_sim/workspaces/{id}/recordings/{recordingId}/stop, or the file must be a HAR file with a log`,
    )
  }
  checkRecording(file, value)
  return value as unknown as Recording
}

function readBounded(file: string): string {
  try {
    const { size } = statSync(file)
    if (size > MAX_FILE_BYTES) {
      throw new UsageError(
        `${file}: the file has ${String(size)} bytes; a recording has at most ${String(MAX_FILE_BYTES)}`,
      )
    }
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof UsageError) throw error
    const { code = '' } = error as NodeJS.ErrnoException
    throw new UsageError(`cannot read ${file}: ${REASONS[code] ?? code}`)
  }
}

function parse(file: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UsageError(`${file}: the file must be JSON: ${(error as Error).message}`)
  }
}

/** True if a value has more levels than allowed. Goes through it level by level, because a recursion would end the program. */
function isDeep(value: unknown): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEEPEST) return true
    level = level.flatMap((each) =>
      typeof each === 'object' && each !== null ? (Object.values(each) as unknown[]) : [],
    )
  }
  return false
}
