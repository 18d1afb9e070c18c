/** The exports of the bundle that compares services, loaded with the first comparison. */
import bundle from './verify.cjs'

export const { verify, withoutSecrets } = bundle
