import type { Calling } from './calling.ts'

/** The base class of the parts of a workspace. */
export class Part {
  protected readonly calling: Calling
  protected readonly id: string

  constructor(calling: Calling, id: string) {
    this.calling = calling
    this.id = id
  }
}
