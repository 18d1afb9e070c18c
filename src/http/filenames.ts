/** Names of files in Content-Disposition. */

/** The name for old readers without what they can't read, and for all others in full (RFC 6266). */
export function filenames(name: string): string {
  const plain = name.replaceAll(/[^\w .()-]/g, '_')
  const full = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `filename="${plain}"; filename*=UTF-8''${full}`
}
