/** An esbuild plugin: the packages of this repository are sources, also where those of others stay outside of a bundle. */
import { fileURLToPath } from 'node:url'

export const ownPackages = {
  name: 'own-packages',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^@suite-sim\// }, ({ path }) => {
      const [, name, ...file] = path.split('/')
      return { path: fileURLToPath(new URL(`../packages/${name}/src/${file.join('/')}.ts`, import.meta.url)) }
    }),
}
