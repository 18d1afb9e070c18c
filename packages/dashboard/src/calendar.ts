/** Parses the events of an iCalendar file (RFC 5545). */

export interface CalendarEntry {
  readonly summary: string
  /** The text of the file if it is not a UTC time. */
  readonly start: Date | string
  readonly end: Date | string
  readonly location: string
  readonly status: string
}

export function parseCalendar(text: string): CalendarEntry[] {
  // A line that begins with a blank continues the previous line.
  const lines = text.replaceAll(/\r?\n[ \t]/g, '').split(/\r?\n/)
  const entries: CalendarEntry[] = []
  let fields: Map<string, string> | null = null
  for (const line of lines) {
    if (line === 'BEGIN:VEVENT') fields = new Map()
    else if (line === 'END:VEVENT' && fields) {
      entries.push(entryOf(fields))
      fields = null
    } else if (fields) {
      const colon = line.indexOf(':')
      const [name = ''] = line.slice(0, colon).split(';')
      fields.set(name, line.slice(colon + 1))
    }
  }
  return entries
}

const entryOf = (fields: ReadonlyMap<string, string>): CalendarEntry => ({
  summary: textOf(fields.get('SUMMARY')),
  start: instantOf(fields.get('DTSTART')),
  end: instantOf(fields.get('DTEND')),
  location: textOf(fields.get('LOCATION')),
  status: textOf(fields.get('STATUS')).toLowerCase(),
})

const textOf = (value = ''): string =>
  value.replaceAll(/\\([\\;,nN])/g, (_all, escaped: string) => (/n/i.test(escaped) ? ' ' : escaped))

function instantOf(value = ''): Date | string {
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(value) ?? []
  if (year === undefined) return value
  return new Date(
    Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second)),
  )
}
