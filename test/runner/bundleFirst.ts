/** Runs once before the tests of a run, and in watch mode before each rerun. */
import type { TestProject } from 'vitest/node'
import { bundleSources } from './sources.ts'

export default async function setup(project: TestProject): Promise<void> {
  await bundleSources()
  project.onTestsRerun(bundleSources)
}
