/** For programs that `require` it: the same as `index.js`, loaded at the first call. */
exports.startSimulator = async (options) => (await import('./index.js')).startSimulator(options)
