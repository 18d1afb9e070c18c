/** A test file that is named on the command line runs, or the run says where it does. */
import { expect, test } from 'vitest'
import { mustRunNamedFiles } from '../../vitest.config.ts'

const PROJECTS = {
  sources: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/{laws,contract}/**/*.test.ts', 'test/project/new.test.ts'],
  },
  dist: { include: ['test/{laws,contract}/**/*.test.ts', 'test/control/{server,x}.test.ts'] },
}

test.each([
  [
    ['run', '--project', 'sources', 'test/laws/lists.test.ts'],
    'npx vitest run --project dist test/laws/lists.test.ts',
  ],
  [
    ['run', './test/project/new.test.ts'],
    'npx vitest run --mode full --project sources test/project/new.test.ts',
  ],
])('%j is refused', (args, command) => {
  expect(() => {
    mustRunNamedFiles(PROJECTS, args)
  }).toThrow(command)
})

test.each([
  [['run', '--project=dist', 'test/laws/lists.test.ts', 'test/control/server.test.ts']],
  [['run', 'test/laws/lists.test.ts', 'test/main.test.ts']],
  [['run', '--project', 'sources', 'test/laws']],
  [['run', 'no-such-file.test.ts']],
])('%j runs', (args) => {
  expect(() => {
    mustRunNamedFiles(PROJECTS, args)
  }).not.toThrow()
})
