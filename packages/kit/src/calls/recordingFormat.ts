/** What servers that write recordings and commands that replay them have in common. */

export const RECORDING_FORMAT = 'suite-simulator-recording/1'

/** Headers of the connection, of proxies and of the client, which no answer depends on. */
const WITHOUT_EFFECT =
  /^(?::.*|host|connection|content-length|content-encoding|transfer-encoding|keep-alive|te|trailer|upgrade|expect|user-agent|accept-encoding|origin|referer|dnt|priority|pragma|via|forwarded|x-forwarded-.*|x-real-ip|sec-.*|traceparent|tracestate)$/

/** True for a header, in lower case, that a recording leaves out because no answer depends on it. */
export const isWithoutEffect = (name: string): boolean => WITHOUT_EFFECT.test(name)
