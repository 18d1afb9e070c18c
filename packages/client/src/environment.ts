/**
 * Returns an environment variable; undefined for an empty one, because compose files set unused variables to
 * "".
 */
export function variable(name: string): string | undefined {
  const value = process.env[name]
  return value === '' ? undefined : value
}
