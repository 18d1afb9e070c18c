/**
 * Aliases for esbuild: the packages of this repository are sources, also in a copy of it that shares `node_modules` with others,
 * and where packages of others stay outside of a bundle.
 */
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../packages', import.meta.url))

export const ownPackages = Object.fromEntries(
  readdirSync(folder).map((name) => [`@suite-sim/${name}`, `${folder}/${name}/src`]),
)
