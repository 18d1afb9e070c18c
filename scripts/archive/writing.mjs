/** Writes a folder as an archive. Equal folders become equal bytes: names are sorted, and times and owners are fixed. */
import { spawnSync } from 'node:child_process'
import { createReadStream, createWriteStream, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { ZipFile } from 'yazl'

/** The time of files in packages of npm. */
const TIME = new Date('1985-10-26T08:15:00Z')

/** ZIP has local times. */
process.env.TZ = 'UTC'

/** Runs a program and returns what it prints. */
export function run(command, args, cwd) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed: ${error?.message ?? stderr}`)
  return stdout
}

/** Writes the folder `name` of `parent`. */
export async function writeTar(parent, name, file) {
  if (!run('tar', ['--version']).includes('GNU tar')) throw new Error('archives are made with GNU tar')
  const time = `--mtime=@${TIME.getTime() / 1000}`
  const owner = ['--owner=0', '--group=0', '--numeric-owner', '--mode=u=rwX,go=rX']
  const tar = `${file}.tar`
  run('tar', ['--create', '--format=ustar', '--sort=name', time, ...owner, '--file', tar, name], parent)
  await pipeline(createReadStream(tar), createGzip(), createWriteStream(file))
  rmSync(tar)
}

/** Writes the folder `name` of `parent`. */
export async function writeZip(parent, name, file) {
  const zip = new ZipFile()
  for (const each of readdirSync(join(parent, name), { recursive: true }).sort()) {
    const path = join(parent, name, each)
    if (statSync(path).isFile()) zip.addFile(path, `${name}/${each}`, { mtime: TIME, mode: 0o100755 })
  }
  zip.end()
  await pipeline(zip.outputStream, createWriteStream(file))
}
