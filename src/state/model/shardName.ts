/** A valid name of a server among several behind one proxy: "s1". */
export const SHARD_NAME = /^[a-z0-9]{1,8}$/
