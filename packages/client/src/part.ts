import type { ControlPlaneClient } from './calling.ts'

/** The base class of the parts of a workspace. */
export class Part {
  protected readonly calling: ControlPlaneClient
  protected readonly id: string

  constructor(calling: ControlPlaneClient, id: string) {
    this.calling = calling
    this.id = id
  }
}
