/** Copies of the project, in which tests change files, run tests and build. */
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ROOT, scratchFolder } from '../../support/process.ts'

/** The variables of a program in a copy: the report is that of this run, not of a run of tests in the copy. */
export const VARIABLES: NodeJS.ProcessEnv = { ...process.env, TEST_REPORT: '' }

/** Returns a folder with these files and folders of the project and its packages. It is removed after the test. */
export function checkout(names: readonly string[]): string {
  const folder = scratchFolder()
  for (const name of names) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    cpSync(join(ROOT, name), join(folder, name), { recursive: true })
  }
  linkPackages(folder)
  return folder
}

/**
 * Links each package rather than `node_modules`, because caches are in there: what a copy makes of its files must not be
 * taken for what this project makes.
 */
function linkPackages(folder: string): void {
  const [from, to] = [join(ROOT, 'node_modules'), join(folder, 'node_modules')]
  mkdirSync(to)
  for (const name of readdirSync(from).filter((each) => !each.startsWith('.') || each === '.bin'))
    if (name !== '@suite-sim') symlinkSync(join(from, name), join(to, name))
  // Those of the project itself are in the copy.
  mkdirSync(join(to, '@suite-sim'))
  for (const name of readdirSync(join(from, '@suite-sim')))
    symlinkSync(join(folder, 'packages', name), join(to, '@suite-sim', name))
  // The compiler checks only what differs from what it has checked.
  const types = '.cache/types'
  if (existsSync(join(from, types))) cpSync(join(from, types), join(to, types), { recursive: true })
}
