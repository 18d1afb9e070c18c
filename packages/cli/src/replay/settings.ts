/** The settings of the commands that replay recordings. */

export const CODE_FORMATS = ['vitest', 'pytest', 'curl'] as const

export interface UpgradeSettings {
  readonly url?: string
  readonly adminToken?: string
  readonly fixtures?: string
  readonly json?: boolean
}

export interface ReplaySettings extends UpgradeSettings {
  readonly as?: (typeof CODE_FORMATS)[number]
  readonly out?: string
  readonly keep?: boolean
}
