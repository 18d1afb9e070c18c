/**
 * An esbuild plugin: the packages of this repository are sources, also in a copy of it that shares `node_modules` with others, and
 * where packages of others stay outside of a bundle.
 */
import { fileURLToPath } from 'node:url'

export const ownPackages = {
  name: 'own-packages',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^@suite-sim\// }, ({ path }) => {
      const [, name, ...file] = path.split('/')
      return { path: fileURLToPath(new URL(`../packages/${name}/src/${file.join('/')}.ts`, import.meta.url)) }
    }),
}
