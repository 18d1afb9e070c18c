/**
 * `node bench/sizing.mjs [jobs]`: what a CI job costs the built server: a workspace, 35 calls, its deletion. Prints CPU
 * time for each job, memory and disk for each workspace that stays, and how many jobs a core serves. Each kind of fixtures
 * has a server of its own, because the garbage of one hides the memory of the next. Linux only.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { buildDist } from '../scripts/bundled.mjs'

const JOBS = Number(process.argv[2] ?? 200)
const STAYING = 200
const AT_ONCE = 10
const CALLS = 35
/** The kernel's unit of CPU time in /proc. */
const TICK_MS = 10

buildDist()
for (const fixtures of ['none', 'small', 'demo']) {
  const folder = mkdtempSync(join(tmpdir(), 'suite-sim-sizing-'))
  const args = ['dist/main.js', '--port', '0', '--db', join(folder, 'a.sqlite'), '--rate-limits', 'off']
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const [line] = await once(createInterface(child.stdout), 'line')
    await measure({ url: JSON.parse(line).url, pid: child.pid, folder }, fixtures)
  } finally {
    child.kill('SIGTERM')
    await once(child, 'close')
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measure({ url, pid, folder }, fixtures) {
  // The first jobs load and compile code. Nothing is deleted before the disk is measured, because deletions leave free pages.
  await inParallel(20, () => job(url, fixtures, false))
  const [memory, disk] = [rssMiB(pid), diskKiB(folder)]
  print(`fixtures ${fixtures}: memory after the first jobs (RSS)`, `${String(memory)} MiB`)
  await inParallel(STAYING, () => job(url, fixtures, false))
  print('  disk of a workspace that stays', `${((diskKiB(folder) - disk) / STAYING).toFixed(0)} KiB`)
  print('  its memory', `${(((rssMiB(pid) - memory) / STAYING) * 1024).toFixed(0)} KiB`)
  const cpu = cpuMs(pid)
  const from = performance.now()
  await inParallel(JOBS, () => job(url, fixtures))
  const each = (cpuMs(pid) - cpu) / JOBS
  const wall = (performance.now() - from) / JOBS
  print('  job', `${each.toFixed(1)} ms CPU (${wall.toFixed(1)} ms of wall clock)`)
  print('  jobs that a core serves in an hour', (3_600_000 / each).toFixed(0))
  print('  memory at the end (RSS)', `${String(rssMiB(pid))} MiB`)
}

async function job(url, fixtures, isDeleted = true) {
  const created = await call(`${url}/_sim/workspaces`, 'POST', {}, { name: 'job', fixtures })
  const { workspace, key } = created
  const headers = { authorization: `Bearer ${key}` }
  for (let index = 0; index < CALLS; index++) {
    if (index % 5 === 0) await call(`${url}/crm/v1/contacts`, 'POST', headers, contact(index))
    else if (index % 5 === 1) await call(`${url}/pay/v1/payment-links`, 'GET', headers)
    else if (index % 5 === 2) await call(`${url}/crm/v1/contacts`, 'GET', headers)
    else if (index % 5 === 3) await call(`${url}/workspace/public/v1/products`, 'GET', headers)
    else await call(`${url}/workspace/public/v1/products`, 'POST', headers, product(index))
  }
  if (isDeleted) await call(`${url}/_sim/workspaces/${workspace.id}`, 'DELETE', {})
}

function contact(index) {
  return { name: `Contact ${String(index)}`, email: `c${String(index)}@example.com` }
}

function product(index) {
  return { name: `Product ${String(index)}`, type: 'service' }
}

/** Calls the server; throws if it refuses. */
async function call(url, method, headers, body) {
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${url}: ${String(response.status)} ${text}`)
  return text === '' ? null : JSON.parse(text)
}

async function inParallel(count, task) {
  let left = count
  const worker = async () => {
    while (left-- > 0) await task()
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

/** CPU time of the server, user and system, in ms. */
function cpuMs(pid) {
  const fields = readFileSync(`/proc/${String(pid)}/stat`, 'utf8')
    .split(') ')[1]
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}

function rssMiB(pid) {
  const status = readFileSync(`/proc/${String(pid)}/status`, 'utf8')
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)[1]) / 1024)
}

function diskKiB(folder) {
  const sizes = readdirSync(folder, { recursive: true }).map((name) => statSync(join(folder, name)).size)
  return sizes.reduce((sum, size) => sum + size, 0) / 1024
}

function print(what, value) {
  console.log(`${what.padEnd(52)} ${value}`)
}
