/** The part of JSON Schema that the fields of triggers use. */
export interface FieldSchema {
  readonly type?: string
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly items?: FieldSchema
}
