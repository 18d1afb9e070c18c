/** The version of this program, from package.json, and the sources of its build. `scripts/build.mjs` replaces the constants. */
import description from '../../../package.json' with { type: 'json' }

declare const BUILD_REVISION: string | null | undefined
declare const BUILD_DATE: string | null | undefined

export const VERSION: string = description.version

export interface Build {
  readonly version: string
  /** The git commit of the sources; "-dirty" at its end marks other changes. Null if it is unknown. */
  readonly revision: string | null
  /** The time of that commit, not of the build, so that builds are reproducible. Null if it is unknown. */
  readonly builtAt: string | null
}

/** Programs that run the sources have no build. */
export const BUILD: Build = {
  version: VERSION,
  revision: typeof BUILD_REVISION === 'string' ? BUILD_REVISION : null,
  builtAt: typeof BUILD_DATE === 'string' ? BUILD_DATE : null,
}
