/** Names of files in Content-Disposition. */

/** Returns the name in ASCII for old clients, and in full for all others (RFC 6266). */
export function filenames(name: string): string {
  const plain = name.replaceAll(/[^\w .()-]/g, '_')
  const full = encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `filename="${plain}"; filename*=UTF-8''${full}`
}
