/** True for the name of a file with calls. Separate, because most starts need nothing else of such files. */
export const isInitFile = (name: string): boolean => /\.init\.(?:json|ya?ml)$/.test(name)
