/** The version of this program, as package.json says it. */
import description from '../package.json' with { type: 'json' }

export const VERSION: string = description.version
