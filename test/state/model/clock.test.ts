/** Instants, durations and clocks. */
import fc from 'fast-check'
import { DateTime } from 'luxon'
import { describe, expect, test } from 'vitest'
import {
  addDuration,
  instantOf,
  iso,
  isoOrNull,
  LAST_INSTANT,
  lastInstantOf,
  parseInstant,
  parseOffsetInstant,
  UTC,
  offsetInstantOf,
} from '@suite-sim/kit/time/instants'
import { readClock, realDelayUntil, REAL_TIME, createClock } from '../../../src/state/model/clock.ts'
import { systemNow } from '@suite-sim/kit/time/machineClock'
import { freshApp } from '../../support/app.ts'

describe('instant', () => {
  test.each([
    ['2026-11-21T12:00:00Z', '2026-11-21T12:00:00.000Z'],
    ['2026-11-21T12:00:00.5Z', '2026-11-21T12:00:00.500Z'],
    ['2026-11-21T12:00:00.123456789Z', '2026-11-21T12:00:00.123Z'],
    ['2026-11-21T12:00Z', '2026-11-21T12:00:00.000Z'],
    ['2026-11-21T12:00:00+02:00', '2026-11-21T10:00:00.000Z'],
    ['2026-11-21T12:00:00+23:59', '2026-11-20T12:01:00.000Z'],
    ['2026-11-21T12:00:00-1459', '2026-11-22T02:59:00.000Z'],
    ['2026-11-21T12:00:00-0530', '2026-11-21T17:30:00.000Z'],
    ['2026-11-21T12:00:00', '2026-11-21T12:00:00.000Z'],
    ['2026-11-21', '2026-11-21T00:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2000-02-29', '2000-02-29T00:00:00.000Z'],
    ['1969-12-31T23:59:59.999Z', '1969-12-31T23:59:59.999Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('parses %s', (text, expected) => {
    expect(isoOrNull(parseInstant(text, UTC))).toBe(expected)
    expect(iso(instantOf(text, UTC))).toBe(expected)
  })

  test('formats like Date', () => {
    const instant = fc.integer({ min: Date.parse('0001-01-01T00:00:00.000Z'), max: LAST_INSTANT })
    fc.assert(fc.property(instant, (at) => iso(at) === new Date(at).toISOString()))
  })

  test.each([
    '',
    'now',
    '2026',
    '2026-11',
    '2026-02-29',
    '1900-02-29',
    '2026-04-31',
    '2026-00-10',
    '2026-13-10',
    '2026-11-00',
    '2026-11-21T',
    '2026-11-21T12',
    '2026-11-21T12:60Z',
    '2026-11-21T25:00Z',
    '2026-11-21T12:00:61Z',
    '2026-11-21T12:00:00,5Z',
    '2026-11-21T12:00:00.Z',
    '2026-11-21T12:00:00.1234567890Z',
    '2026-11-21T12:00:00z',
    '2026-11-21t12:00:00Z',
    '2026-11-21 12:00:00Z',
    ' 2026-11-21',
    '2026-11-21\n',
    '2026-11-21Z',
    '2026-11-21T12:00:00+2',
    '2026-11-21T12:00:00[UTC]',
    '2026-11-21T12:00:00+24:00',
    '2026-11-21T12:00:00-2500',
    '2026-11-21T12:00:00+14:60',
    '2026-11-21T12:00:00-0099',
    '20261121',
    '2026-W47-6',
    '2026-325',
    '0000-01-01',
    '-0001-01-01',
    '10000-01-01',
    '0001-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59.999-00:01',
  ])('refuses "%s"', (text) => {
    expect(parseInstant(text, UTC)).toBeNull()
    expect(() => instantOf(text, UTC)).toThrow('not an instant')
  })

  test('cannot be formatted if it is invalid', () => {
    expect(isoOrNull(null)).toBeNull()
  })
})

describe('an instant without an offset uses the time zone', () => {
  test.each([
    ['America/Panama', '2026-03-29', '2026-03-29T05:00:00.000Z'],
    ['America/Panama', '2026-03-29T02:30', '2026-03-29T07:30:00.000Z'],
    ['Europe/Madrid', '2026-03-29', '2026-03-28T23:00:00.000Z'],
    ['Europe/Madrid', '2026-03-30', '2026-03-29T22:00:00.000Z'],
    ['Europe/Madrid', '2026-10-25', '2026-10-24T22:00:00.000Z'],
    ['Europe/Madrid', '2026-10-26', '2026-10-25T23:00:00.000Z'],
    ['Europe/Madrid', '2026-03-29T01:59:59.999', '2026-03-29T00:59:59.999Z'],
    ['Europe/Madrid', '2026-03-29T03:00:00', '2026-03-29T01:00:00.000Z'],
    // Clocks skip this time, and show it twice in autumn.
    ['Europe/Madrid', '2026-03-29T02:30:00', '2026-03-29T01:30:00.000Z'],
    ['Europe/Madrid', '2026-10-25T02:30:00', '2026-10-25T00:30:00.000Z'],
    // Midnights that clocks skip: by an hour, by half an hour, and with their whole day.
    ['America/Santiago', '2026-09-06', '2026-09-06T04:00:00.000Z'],
    ['America/Toronto', '1919-03-31', '1919-03-31T04:30:00.000Z'],
    ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00.000Z'],
    // A midnight that clocks show twice.
    ['America/Havana', '2026-11-01', '2026-11-01T04:00:00.000Z'],
    // An explicit offset takes precedence.
    ['Europe/Madrid', '2026-03-29T02:30:00Z', '2026-03-29T02:30:00.000Z'],
    ['Europe/Madrid', '2026-03-29T02:30-05:00', '2026-03-29T07:30:00.000Z'],
    // The first and last representable times.
    ['Asia/Tokyo', '0001-01-01', '0001-01-01T00:00:00.000Z'],
    ['America/Panama', '9999-12-31T20:00', '9999-12-31T23:59:59.999Z'],
  ])('in %s, from %s', (timezone, text, expected) => {
    expect(isoOrNull(parseInstant(text, { timezone }))).toBe(expected)
    expect(iso(instantOf(text, { timezone }))).toBe(expected)
  })

  test.each([
    ['America/Panama', '2026-03-29', '2026-03-30T04:59:59.999Z'],
    ['Europe/Madrid', '2026-03-29', '2026-03-29T21:59:59.999Z'],
    ['Europe/Madrid', '2026-10-25', '2026-10-25T22:59:59.999Z'],
    ['America/Santiago', '2026-09-05', '2026-09-06T03:59:59.999Z'],
    ['Pacific/Apia', '2011-12-29', '2011-12-30T09:59:59.999Z'],
    ['Europe/Madrid', '2026-10-25T02:30', '2026-10-25T00:30:00.000Z'],
    ['Europe/Madrid', '2026-10-25T02:30Z', '2026-10-25T02:30:00.000Z'],
  ])('in %s, to the end of %s', (timezone, text, expected) => {
    expect(iso(lastInstantOf(text, { timezone }))).toBe(expected)
  })

  test('is not later than any instant with the same local time', () => {
    const zones = [
      'America/Panama',
      'Europe/Madrid',
      'America/Santiago',
      'Australia/Lord_Howe',
      'Asia/Kathmandu',
    ]
    const instants = fc.integer({
      min: Date.parse('1990-01-01T00:00:00Z'),
      max: Date.parse('2040-01-01T00:00:00Z'),
    })
    fc.assert(
      fc.property(fc.constantFrom(...zones), instants, (timezone, instant) => {
        const localTime = (at: number): string =>
          DateTime.fromMillis(at, { zone: timezone }).toISO({ includeOffset: false }) ?? ''
        const found = instantOf(localTime(instant), { timezone })
        return found <= instant && localTime(found) === localTime(instant)
      }),
    )
  })
})

describe('instant with an offset', () => {
  test('requires an offset', () => {
    expect(iso(offsetInstantOf('2026-11-21T12:00:00.000Z'))).toBe('2026-11-21T12:00:00.000Z')
    expect(iso(offsetInstantOf('2026-11-21T12:00:00+02:00'))).toBe('2026-11-21T10:00:00.000Z')
    for (const text of ['2026-11-21', '2026-11-21T12:00:00', 'noon', '2026-02-30T12:00:00Z']) {
      expect(parseOffsetInstant(text)).toBeNull()
      expect(() => offsetInstantOf(text)).toThrow('not an instant')
    }
  })
})

describe('duration', () => {
  const at = '2026-01-31T12:00:00.000Z'

  test.each([
    ['PT0S', at, at],
    ['PT1H', at, '2026-01-31T13:00:00.000Z'],
    ['PT90M', at, '2026-01-31T13:30:00.000Z'],
    ['PT0.5S', at, '2026-01-31T12:00:00.500Z'],
    ['P1D', at, '2026-02-01T12:00:00.000Z'],
    ['P2W', at, '2026-02-14T12:00:00.000Z'],
    ['P1M', at, '2026-02-28T12:00:00.000Z'],
    ['P1M', '2028-01-31T00:00:00.000Z', '2028-02-29T00:00:00.000Z'],
    ['P1Y', '2028-02-29T00:00:00.000Z', '2029-02-28T00:00:00.000Z'],
    ['P1Y2M3DT4H5M6S', at, '2027-04-03T16:05:06.000Z'],
    // Days are counted in UTC, where every day has 24 hours.
    ['P1D', '2026-03-28T12:00:00.000Z', '2026-03-29T12:00:00.000Z'],
    ['P7973Y', '2026-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('%s from %s leads to %s', (duration, from, to) => {
    const sum = addDuration(offsetInstantOf(from), duration)
    expect(isoOrNull(sum)).toBe(to)
  })

  test.each([
    '',
    'P',
    'PT',
    '1H',
    'PT1',
    'P1H',
    'PT1D',
    'one hour',
    'pt1h',
    ' PT1H',
    'PT1H ',
    '-PT1H',
    'PT-1H',
    'P1D-1',
    'P9999Y',
    'P99999999999999999999Y',
    'PT1e3S',
    '3600',
  ])('refuses "%s"', (duration) => {
    expect(addDuration(offsetInstantOf(at), duration)).toBeNull()
  })
})

describe('clock', () => {
  const noon = offsetInstantOf('2026-11-21T12:00:00Z')

  test('shows the real time until it is set', () => {
    const before = systemNow()
    const reading = readClock(REAL_TIME)

    expect(reading).toBeGreaterThanOrEqual(before)
    expect(reading).toBeLessThanOrEqual(systemNow())
  })

  test('shows a fixed time when frozen, and reaches no later one', () => {
    const clock = createClock(noon, true)

    expect(readClock(clock)).toBe(noon)
    expect(realDelayUntil(clock, noon - 1)).toBe(0)
    expect(realDelayUntil(clock, noon)).toBe(0)
    expect(realDelayUntil(clock, noon + 1)).toBeNull()
  })

  test('continues from the set time at the real speed when shifted', () => {
    const before = systemNow()
    const clock = createClock(noon, false)
    const reading = readClock(clock)
    const passed = systemNow() - before

    expect(reading).toBeGreaterThanOrEqual(noon)
    expect(reading).toBeLessThanOrEqual(noon + passed)
    const delay = realDelayUntil(clock, noon + 60_000) ?? NaN
    expect(delay).toBeLessThanOrEqual(60_000)
    expect(delay).toBeGreaterThan(60_000 - 5_000)
  })

  test('belongs to one workspace', async () => {
    const { workspace, tenant, setClock, now } = await freshApp()
    const other = tenant().workspace

    setClock('2026-11-21T12:00:00Z')
    setClock('2030-01-01T00:00:00Z', { workspace: other })

    expect(now()).toBe('2026-11-21T12:00:00.000Z')
    expect(iso(other.now())).toBe('2030-01-01T00:00:00.000Z')
    workspace.clock.reset()
    expect(workspace.clock.setting).toEqual(REAL_TIME)
    expect(iso(other.now())).toBe('2030-01-01T00:00:00.000Z')
  })

  test('shows another instant within `at`, and its own again afterwards, also after an error', async () => {
    const { workspace, setClock, now } = await freshApp()
    setClock('2026-11-21T12:00:00Z')

    const seen = workspace.clock.at(1, () => [
      workspace.now(),
      workspace.clock.at(2, () => workspace.now()),
      workspace.now(),
    ])
    expect(seen).toEqual([1, 2, 1])
    expect(() =>
      workspace.clock.at(3, () => {
        throw new Error('failed')
      }),
    ).toThrow('failed')
    expect(now()).toBe('2026-11-21T12:00:00.000Z')
  })
})
