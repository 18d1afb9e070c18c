/** Where the server is without --port and --host. OPERATING.md, "Start". */
export const DEFAULT_HOST = '127.0.0.1'
export const DEFAULT_PORT = 4012
export const DEFAULT_URL: string = `http://${DEFAULT_HOST}:${String(DEFAULT_PORT)}`
