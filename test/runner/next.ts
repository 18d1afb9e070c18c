/** Ends a run that failed with the commands that run each failed test again. */
import { relative } from 'node:path'
import type { Reporter, TestCase, TestModule } from 'vitest/node'

const SHOWN = 10

/** A test name as a pattern within single quotes of a shell. */
const patternOf = (name: string): string =>
  name.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll("'", "'\\''")

export class Next implements Reporter {
  readonly #mode: string

  constructor(mode: string) {
    this.#mode = mode === 'full' ? ' --mode full' : ''
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const failed = modules.flatMap((module) => {
      const tests = [...module.children.allTests('failed')]
      if (tests.length > 0) return tests.map((test) => this.#command(module, test))
      return module.ok() ? [] : [this.#command(module)]
    })
    if (failed.length === 0) return
    const more = failed.length > SHOWN ? [`and ${String(failed.length - SHOWN)} more`] : []
    process.stdout.write(`\nTo run what failed again:\n${[...failed.slice(0, SHOWN), ...more].join('\n')}\n`)
  }

  #command({ project, relativeModuleId }: TestModule, test?: TestCase): string {
    const name = test === undefined ? '' : ` -t '${patternOf(test.fullName.replaceAll(' > ', ' '))}'`
    return `  npx vitest run${this.#mode} --project ${project.name} ${relative('', relativeModuleId)}${name}`
  }
}
