/** What a caller can choose about the app. */
import type { FastifyBaseLogger } from 'fastify'
import type { Extension } from '../http/definition/definition.ts'
import type { HeavyLimits } from '../http/files/heavyWork/index.ts'
import type { Tls } from '../http/server/tls.ts'
import type { ChosenReadings } from '../state/model/reading.ts'

export interface AppOptions {
  /** The database file; ':memory:' (the default) keeps nothing. */
  readonly db?: string
  /** The content of a new database: 'demo', 'small', 'none' (the default) or a fixture file. */
  readonly fixtures?: string
  /** The date to which the demo's dates are moved; the default is now. */
  readonly demoDate?: number
  /** The seed from which all ids are derived; null (the default) for unpredictable ids. */
  readonly seed?: string | null
  /** The name of this server among several behind one proxy: "s1". null (the default) without one. */
  readonly shard?: string | null
  /** The token that the control plane requires; null (the default) allows calls from this machine only. */
  readonly adminToken?: string | null
  /** A token that opens the metrics and nothing else; none by default. */
  readonly metricsToken?: string | null
  /** Whether the metrics need no token; false by default. */
  readonly publicMetrics?: boolean | undefined
  /** Whether POST /_sim/reset is allowed; by default, unless other machines can reach the server. */
  readonly allowReset?: boolean | undefined
  /**
   * The URL at which clients reach the server, if it differs from the listening address:
   * "https://sim.example.com".
   */
  readonly publicUrl?: string | null
  /** Hosts that may receive webhooks over plain http and at any address; "*" is all. */
  readonly webhookHttpHosts?: readonly string[]
  /** The timeout of a webhook delivery attempt, in ms. */
  readonly webhookTimeoutMs?: number
  /** Ms in which a listener that has lost its connection can connect again; the default is one minute. */
  readonly listenerGraceMs?: number
  /** Ms that requests in flight may still take after the app is closed; the default is 5 s. */
  readonly closeGraceMs?: number
  /** Maximum number of connections without a complete request; beyond it, the oldest are closed. */
  readonly maxHalfOpen?: number
  /**
   * The script of the worker thread for heavy work, such as reading large files; without it, this thread does
   * the work.
   */
  readonly heavyThread?: string
  /** Other limits of heavy work than the usual ones, such as fewer tasks that wait. */
  readonly heavyLimits?: Partial<HeavyLimits>
  /** Addresses and networks of proxies whose X-Forwarded-For is trusted; none by default. */
  readonly trustedProxies?: readonly string[]
  /** Origins of browser apps that may call the interfaces: "http://localhost:5173"; "*" is all, none by default. */
  readonly cors?: readonly string[]
  /**
   * Host names that the server answers to besides those that mean this machine, if it listens on loopback or has a
   * loopback public URL: "sim.test"; ".sim.test" is all names below it, and "*" all; none by default.
   */
  readonly allowedHosts?: readonly string[]
  /** Serves HTTPS with this certificate; without it, the server speaks HTTP. */
  readonly tls?: Tls | null
  /** Whether the rate limits of the interfaces apply; true by default. */
  readonly rateLimits?: boolean
  /** The account of the first workspace, as a recording of another server has it; 1 by default. */
  readonly firstAccountId?: number | undefined
  /** The most bytes of records and stored files in a workspace; 1 GiB by default. */
  readonly maxWorkspaceBytes?: number
  /** The readings of workspaces that choose none: `{ 'scopes.unlisted': 'any' }`. */
  readonly readings?: ChosenReadings | undefined
  /** Changes what the server answers: the result of `observing`; nothing by default. */
  readonly extension?: Extension
  /**
   * The mail server that receives the messages: "smtp://localhost:1025"; without it, no message leaves the
   * simulator.
   */
  readonly smtpUrl?: string
  /** The folder of the guide's built site; the default is that of the program. */
  readonly guideFolder?: string
  /** Builds it when it is first opened and missing; null (the default) if it can't be built. */
  readonly buildGuide?: (() => Promise<void>) | null
  /** false (the default) logs nothing. */
  readonly logger?: FastifyBaseLogger | false
}
