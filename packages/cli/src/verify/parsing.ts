/** Parses the values of the flags of `verify`. */
import { InvalidArgumentError } from 'commander'
import { CONFIRMED, type Confirmed, type Rate } from '@suite-sim/verify/options'
import { REPORT_FORMATS, type ReportFormat } from '@suite-sim/verify/report/formats'
import { interfaceName, parseHttpUrl, repeatable } from '@suite-sim/kit/terminal/flags'
import type { InterfaceName } from '@suite-sim/kit/interfaceNames'

const MAX_BUDGET = 100_000
const MAX_CALLS = 1000
const MAX_PARAMETER = 1000

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 }

/** Parses "5/s", "100/m" or "off". */
export function parseRate(value: string): Rate | 'off' {
  if (value === 'off') return 'off'
  const [, calls = '', unit = ''] = /^(\d{1,4})\/([smh])$/.exec(value) ?? []
  const seconds = SECONDS[unit]
  if (seconds === undefined || Number(calls) < 1 || Number(calls) > MAX_CALLS) {
    throw new InvalidArgumentError(
      'It must be 1 to 1000 calls per s, m or h, such as 5/s or 100/m, or "off".',
    )
  }
  return { calls: Number(calls), seconds }
}

export function parseBudget(value: string): number {
  const budget = Number(value)
  if (!/^\d{1,6}$/.test(value) || budget < 1 || budget > MAX_BUDGET) {
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${String(MAX_BUDGET)}.`)
  }
  return budget
}

export const parseResources = repeatable((value) =>
  value.split(',').map((name) => {
    if (!/^[A-Za-z][\w.-]{0,60}$/.test(name.trim())) {
      throw new InvalidArgumentError('It must be names of resources, such as deals,invoices.')
    }
    return name.trim()
  }),
)

export const parseConfirmed = repeatable((value) =>
  value.split(',').map((word) => confirmedWord(word.trim())),
)

function confirmedWord(word: string): Confirmed {
  const known = CONFIRMED.find((each) => each === word)
  if (known === undefined) {
    throw new InvalidArgumentError(`It must be ${CONFIRMED.join(', ')}; several separated by commas.`)
  }
  return known
}

type Addresses = Readonly<Partial<Record<InterfaceName, string>>>

/** Parses one value of `--at`, which can be repeated: "crm=https://crm.example.com/v1". */
export function parseAddress(value: string, earlier: Addresses = {}): Addresses {
  const [name, url] = split(value, 'It must be INTERFACE=URL, such as crm=https://crm.example.com.')
  const known = interfaceName(name)
  if (Object.hasOwn(earlier, known)) throw new InvalidArgumentError('It must contain each interface once.')
  return { ...earlier, [known]: parseHttpUrl(url) }
}

type Values = Readonly<Record<string, string>>

/** Parses one value of `--with`, which can be repeated: "meetings.publicMeetingId=abc". */
export function parseParameter(value: string, earlier: Values = {}): Values {
  const shape = 'It must be INTERFACE.PARAMETER=VALUE, such as meetings.publicMeetingId=abc.'
  const [place, text] = split(value, shape)
  const [, name = '', parameter = ''] = /^([a-z-]{1,40})\.([\w.-]{1,100})$/.exec(place) ?? []
  if (parameter === '') throw new InvalidArgumentError(shape)
  if (text.length > MAX_PARAMETER) {
    throw new InvalidArgumentError(`The value must have at most ${String(MAX_PARAMETER)} characters.`)
  }
  const key = `${interfaceName(name)}.${parameter}`
  if (Object.hasOwn(earlier, key)) throw new InvalidArgumentError('It must contain each parameter once.')
  return { ...earlier, [key]: text }
}

function split(value: string, shape: string): [name: string, rest: string] {
  const end = value.indexOf('=')
  if (end < 1 || end === value.length - 1) throw new InvalidArgumentError(shape)
  return [value.slice(0, end).trim(), value.slice(end + 1)]
}

/** A format, and the file for it; null for `--out` or standard output. */
export interface ReportTarget {
  readonly format: ReportFormat
  readonly file: string | null
}

/** Parses one value of `--report`, which can be repeated: "junit" or "junit=verify.xml". */
export function parseReportTarget(
  value: string,
  earlier: readonly ReportTarget[] = [],
): readonly ReportTarget[] {
  const end = value.indexOf('=')
  const name = end < 0 ? value : value.slice(0, end)
  const format = REPORT_FORMATS.find((each) => each === name)
  if (format === undefined) {
    throw new InvalidArgumentError(`It must be ${REPORT_FORMATS.join(', ')}, or a format and a file.`)
  }
  const file = end < 0 ? null : value.slice(end + 1)
  if (file === '') throw new InvalidArgumentError('The file must have a name, such as junit=verify.xml.')
  return [...earlier, { format, file }]
}

export function parseTimezone(value: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone
  } catch {
    throw new InvalidArgumentError('It must be an IANA time zone, such as America/Panama.')
  }
}

export function parseRun(value: string): string {
  if (!/^[\w-]{1,100}$/.test(value)) {
    throw new InvalidArgumentError('It must be the id of a run: letters, digits, - and _.')
  }
  return value
}
