/** The sources of a build: their git commit and its time. Without git, as in a container, variables name them. */
import { spawnSync } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

const REVISION = /^[\w.+-]{1,100}$/

/**
 * Returns the commit (SOURCE_REVISION, or that of git with "-dirty" if files are changed) and its time in ISO 8601
 * (SOURCE_DATE_EPOCH in seconds, or that of git); null for what is unknown.
 */
export function revisionOf(variables = process.env, folder = root) {
  const { SOURCE_REVISION: revision = '', SOURCE_DATE_EPOCH: seconds = '' } = variables
  if (revision !== '' && !REVISION.test(revision)) {
    throw new Error('SOURCE_REVISION must have 1 to 100 letters, digits, dots, plus signs or hyphens')
  }
  if (seconds !== '' && !/^\d{1,11}$/.test(seconds)) {
    throw new Error('SOURCE_DATE_EPOCH must be a number of seconds since 1970')
  }
  return {
    revision: revision === '' ? commitIn(folder) : revision,
    date: isoOf(seconds === '' ? git(folder, 'log', '-1', '--format=%ct') : seconds),
  }
}

function commitIn(folder) {
  const commit = git(folder, 'rev-parse', 'HEAD')
  if (commit === null) return null
  return git(folder, 'status', '--porcelain', '--untracked-files=no') === '' ? commit : `${commit}-dirty`
}

/** Returns the output of git; null without git, and in a package that is installed in the repository of another project. */
function git(folder, ...args) {
  const top = output(folder, 'rev-parse', '--show-toplevel')
  return top === null || realpathSync(top) !== realpathSync(folder) ? null : output(folder, ...args)
}

function output(folder, ...args) {
  const { status, stdout } = spawnSync('git', ['-C', folder, ...args], { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : null
}

const isoOf = (seconds) =>
  seconds === null || seconds === '' ? null : new Date(Number(seconds) * 1000).toISOString()
