/** A call of a service, and its answer. */
import type { Operation } from '../model/operation.ts'

/** Why a call is made. `of` is the exchange with which its answer is compared. */
export type Purpose =
  | { readonly kind: 'plain' }
  | { readonly kind: 'repeat'; readonly of: Exchange }
  | { readonly kind: 'page'; readonly of: Exchange; readonly size: number; readonly index: number }
  /** A page of the largest size, to read all rows. */
  | { readonly kind: 'whole'; readonly of: Exchange; readonly index: number }
  | { readonly kind: 'size'; readonly of: Exchange; readonly size: number; readonly maximum: number }
  | { readonly kind: 'filter'; readonly of: Exchange; readonly parameter: string; readonly value: string }
  | {
      readonly kind: 'sort'
      readonly of: Exchange
      readonly field: string
      readonly direction: 'asc' | 'desc'
    }
  /** The record of a row of a list. */
  | { readonly kind: 'record'; readonly of: Exchange | null; readonly row: unknown }
  | { readonly kind: 'variant'; readonly of: Exchange; readonly parameter: string; readonly value: string }
  | { readonly kind: 'unknown_id' }
  | { readonly kind: 'bad_value'; readonly parameter: string; readonly value: string }
  | { readonly kind: 'auth'; readonly key: 'none' | 'wrong' }
  /** A captured call with a query or a body. */
  | { readonly kind: 'captured' }
  /** A step of a scenario of write mode. */
  | { readonly kind: 'step'; readonly scenario: string; readonly step: number }

export interface Probe {
  readonly operation: Operation
  /** Values of the parameters of the path, by name. */
  readonly path: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly body?: unknown
  /** A file, which is sent as multipart/form-data with the fields of the body. */
  readonly file?: FileToSend
  readonly purpose: Purpose
}

export interface FileToSend {
  readonly field: string
  readonly name: string
  readonly type: string
  readonly base64: string
}

export interface Exchange {
  /** Its position among all calls of the run, from 1. */
  readonly number: number
  readonly probe: Probe
  /** The start of the call, ISO 8601. */
  readonly at: string
  readonly durationMs: number
  /** The whole URL. */
  readonly url: string
  readonly status: number
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  /** The parsed body if it is JSON; undefined otherwise. */
  readonly body: unknown
  /** The body as text; of a binary body, its beginning. */
  readonly text: string
}
