/** Below this path are all operations. */
export const BASE_PATH = '/chat/api/v1'
