/** The limits of the option for the bytes of a workspace. */

/** 1 GiB. */
export const DEFAULT_MAX_WORKSPACE_BYTES = 1024 ** 3

/** The least that can be set: 1 MiB. */
export const MIN_WORKSPACE_BYTES = 1024 ** 2
