/** The comparison, in a bundle of its own, because it includes the client library. */
export { cleanUp, verify, withoutSecrets } from '@suite-sim/verify/index'
