import type { Calling } from './calling.ts'

/** What a part of a workspace speaks by. */
export class Part {
  protected readonly calling: Calling
  protected readonly id: string

  constructor(calling: Calling, id: string) {
    this.calling = calling
    this.id = id
  }
}
