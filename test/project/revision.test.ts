/** The commit and the time that a build takes from git or from variables. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { revisionOf } from '../../scripts/revision.mjs'
import { scratchFolder } from '../support/process.ts'

const TIME = '2030-01-02T03:04:05.000Z'

/** Creates a repository with one commit. */
function repository(): { readonly folder: string; readonly commit: string } {
  const folder = scratchFolder()
  const git = (...args: string[]): string => {
    const env = { ...process.env, GIT_AUTHOR_DATE: TIME, GIT_COMMITTER_DATE: TIME }
    const names = ['-c', 'user.name=a', '-c', 'user.email=a@example.com']
    const { status, stdout, stderr } = spawnSync('git', ['-C', folder, ...names, ...args], {
      env,
      encoding: 'utf8',
    })
    expect(status, stderr).toBe(0)
    return stdout.trim()
  }
  git('init', '--quiet')
  writeFileSync(join(folder, 'a.txt'), 'a')
  git('add', '.')
  git('commit', '--quiet', '--message', 'Add a')
  return { folder, commit: git('rev-parse', 'HEAD') }
}

test('are those of the last commit', () => {
  const { folder, commit } = repository()
  expect(commit).toMatch(/^[\da-f]{40}$/)
  expect(revisionOf({}, folder)).toEqual({ revision: commit, date: TIME })
})

test('say that files are changed', () => {
  const { folder, commit } = repository()
  writeFileSync(join(folder, 'a.txt'), 'b')
  expect(revisionOf({}, folder)).toEqual({ revision: `${commit}-dirty`, date: TIME })
})

test('are unknown outside of a repository, and in a folder of another one', () => {
  const { folder } = repository()
  const inner = join(folder, 'node_modules')
  mkdirSync(inner)
  for (const each of [scratchFolder(), inner])
    expect(revisionOf({}, each)).toEqual({ revision: null, date: null })
})

test('are those of the variables, also without git; empty variables count as absent', () => {
  const { folder, commit } = repository()
  const variables = { SOURCE_REVISION: 'v1.2+abc', SOURCE_DATE_EPOCH: '0' }
  const named = { revision: 'v1.2+abc', date: '1970-01-01T00:00:00.000Z' }
  for (const each of [folder, scratchFolder()]) expect(revisionOf(variables, each)).toEqual(named)
  const empty = { SOURCE_REVISION: '', SOURCE_DATE_EPOCH: '' }
  expect(revisionOf(empty, folder)).toEqual({ revision: commit, date: TIME })
})

test.each([
  [{ SOURCE_REVISION: 'two words' }, /SOURCE_REVISION must have/],
  [{ SOURCE_REVISION: 'a'.repeat(101) }, /SOURCE_REVISION must have/],
  [{ SOURCE_DATE_EPOCH: '2030-01-01' }, /SOURCE_DATE_EPOCH must be/],
  [{ SOURCE_DATE_EPOCH: '123456789012' }, /SOURCE_DATE_EPOCH must be/],
])('refuse the variables %o', (variables, problem) => {
  expect(() => revisionOf(variables)).toThrow(problem)
})
