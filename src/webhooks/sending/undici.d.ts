/** The one module of undici that is used; its index would load four times as much. */
declare module 'undici/lib/dispatcher/pool.js' {
  export { Pool as default } from 'undici'
}
