/** The settings of one workspace, and those that a reset restores. */
import { eq, sql } from 'drizzle-orm'
import { statement, type Database } from '../storage/database/database.ts'
import { writer } from '../storage/database/prepared.ts'
import type { ClockSetting } from '../model/clock.ts'
import { canonicalZone } from '@suite-sim/kit/time/wallTime'
import type { ChosenReadings } from '../model/reading.ts'
import { workspaces, type Modules, type Plan, type Progression } from '../storage/tables.ts'

export interface Settings {
  readonly name: string
  readonly currency: string
  readonly timezone: string
  readonly modules: Modules
  readonly plan: Plan
  /** Whether hosted payment pages show the test cards. */
  readonly testCards: boolean
  /** Whether callers can choose the case of a fault with X-Sim-Case. */
  readonly cases: boolean
  /** When automatic progression happens. */
  readonly progression: Progression
  /** The readings that it chose; the others follow the server. */
  readonly readings: ChosenReadings
}

/** A change of settings. Settings that it does not contain stay the same. */
export interface SettingChanges extends Partial<Omit<Settings, 'modules' | 'plan'>> {
  readonly modules?: Partial<Modules>
  readonly plan?: Partial<Plan>
}

/** The settings of a new workspace before its creator changes them. */
export const DEFAULTS: Settings = {
  name: '',
  currency: 'USD',
  timezone: 'UTC',
  modules: { products: true },
  plan: { apiAccess: true },
  testCards: true,
  cases: false,
  progression: 'clock',
  readings: {},
}

/** Returns all settings after a change. */
export const applyChanges = (current: Settings, changes: SettingChanges): Settings => ({
  name: changes.name ?? current.name,
  currency: changes.currency ?? current.currency,
  timezone: changes.timezone === undefined ? current.timezone : canonicalZone(changes.timezone),
  modules: { ...current.modules, ...changes.modules },
  plan: { ...current.plan, ...changes.plan },
  testCards: changes.testCards ?? current.testCards,
  cases: changes.cases ?? current.cases,
  progression: changes.progression ?? current.progression,
  readings: changes.readings ?? current.readings,
})

/** Stores the settings of a workspace. */
export function storeSettings(database: Database, tenantId: number, settings: Settings): void {
  database.write(() => {
    updateSettings(database, {
      name: settings.name,
      currency: settings.currency,
      timezone: settings.timezone,
      modules: JSON.stringify(settings.modules),
      plan: JSON.stringify(settings.plan),
      testCards: settings.testCards ? 1 : 0,
      cases: settings.cases ? 1 : 0,
      progression: settings.progression,
      readings: JSON.stringify(settings.readings),
      number: tenantId,
    })
  })
}

/** Returns the settings and the clock that the workspace was created with; without a clock, it was at real time. */
export function firstSettings(
  database: Database,
  tenantId: number,
): { readonly settings: Settings; readonly clock: ClockSetting | undefined } | undefined {
  const row = baselineOf(database).get({ tenantId })
  if (!row) return undefined
  const { clock, ...baseline } = row.baseline
  // Workspaces of earlier versions have no values for some of them.
  return {
    settings: { testCards: true, cases: false, progression: 'clock', readings: {}, ...baseline },
    clock,
  }
}

const updateSettings = writer((orm) =>
  orm
    .update(workspaces)
    .set({
      name: sql`${sql.placeholder('name')}`,
      currency: sql`${sql.placeholder('currency')}`,
      timezone: sql`${sql.placeholder('timezone')}`,
      modules: sql`${sql.placeholder('modules')}`,
      plan: sql`${sql.placeholder('plan')}`,
      testCards: sql`${sql.placeholder('testCards')}`,
      cases: sql`${sql.placeholder('cases')}`,
      progression: sql`${sql.placeholder('progression')}`,
      readings: sql`${sql.placeholder('readings')}`,
    })
    .where(eq(workspaces.number, sql.placeholder('number'))),
)

const baselineOf = statement((orm) =>
  orm
    .select({ baseline: workspaces.baseline })
    .from(workspaces)
    .where(eq(workspaces.number, sql.placeholder('tenantId')))
    .prepare(),
)
