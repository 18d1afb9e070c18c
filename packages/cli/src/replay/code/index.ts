/** Writes recordings as tests. */
import type { Recording } from '../format/recording.ts'
import { curlScript } from './curl.ts'
import { planOf } from './plan.ts'
import { pytestModule } from './pytest.ts'
import { vitestModule } from './vitest.ts'

/** Returns a test of a recording. `file` is its path from the test. */
export function testOf(format: 'vitest' | 'pytest' | 'curl', recording: Recording, file: string): string {
  if (format === 'curl') return curlScript(recording)
  const plan = planOf(recording)
  return format === 'vitest' ? vitestModule(plan, recording, file) : pytestModule(plan, recording, file)
}
