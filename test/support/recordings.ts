/** Recordings for tests: a file that the command can read, and a replay of it. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Recording } from '@suite-sim/cli/replay/format/recording'
import { readRecording } from '@suite-sim/cli/replay/recordingFile'
import { replay, type ReplayResult } from '@suite-sim/cli/replay/replay'
import { ownTarget } from '@suite-sim/cli/replay/target'
import { scratchFolder } from './process.ts'

/** Writes a recording to a file and returns its path. */
export function fileWith(content: unknown, name = 'recording.json'): string {
  const file = join(scratchFolder(), name)
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}

/** Replays a recording on a server of its own. */
export async function replayed(content: unknown): Promise<ReplayResult> {
  const recording: Recording = readRecording(fileWith(content))
  const target = await ownTarget(recording)
  try {
    return await replay(target, recording)
  } finally {
    await target.close()
  }
}
