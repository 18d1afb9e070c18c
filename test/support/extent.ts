/**
 * The extent of the test run. `npm test` checks every rule once. `npm run test:full` runs all cases of expensive
 * rules: page themes and sizes, pairs of interfaces, long round trips, many seeds.
 */
export const IS_FULL = process.env['TEST_EXTENT'] === 'full'

/** All cases in the full run, otherwise only the first ones. */
export const casesOf = <Case>(all: readonly Case[], first = 1): readonly Case[] =>
  IS_FULL ? all : all.slice(0, first)

/** The number of runs of a property: a fifth in the quick run. */
export const runs = (all: number): number => (IS_FULL ? all : Math.ceil(all / 5))
