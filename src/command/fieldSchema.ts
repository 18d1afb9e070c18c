/** As much of a JSON Schema as is asked of a trigger's fields. */
export interface FieldSchema {
  readonly type?: string
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly items?: FieldSchema
}
