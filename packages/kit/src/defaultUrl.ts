/** Where the server is without --host and --port, and where the clients look for it. OPERATING.md, "Start". */
export const DEFAULT_URL = 'http://127.0.0.1:4012'
