/** Requests of a route: the method, and the path with parameters and query. */
import type { Parts, Route } from "./routes.ts"

/** Headers that select the project of a request. */
export type ProjectHeaders = Readonly<Record<string, string>>

interface RequestOptions {
  /** Sent as it is, instead of JSON. */
  readonly file?: Blob | undefined
  readonly project?: ProjectHeaders | undefined
  readonly signal?: AbortSignal | undefined
  /** The media type of the answer; JSON unless it is given. */
  readonly accept?: string | undefined
  /** A repetition with the same key takes effect once. */
  readonly idempotencyKey?: string | undefined
}

/** The parts of a request beside its route. */
export type Input<R extends Route> = Parts<R> & RequestOptions

/** A request without types, for the plans of imports. */
export interface Message extends RequestOptions {
  readonly method: string
  /** With the query. */
  readonly path: string
  readonly body?: unknown
}

type Value = string | number | undefined

/** `?a=1&b=2` of what is defined, a list as repetitions; empty without any. */
export const queryOf = (parameters: Readonly<Record<string, Value | ReadonlyArray<Value>>>): string => {
  const query = new URLSearchParams()
  for (const [name, values] of Object.entries(parameters))
    for (const value of [values].flat()) if (value !== undefined) query.append(name, String(value))
  const text = query.toString()
  return text === "" ? "" : `?${text}`
}

/** The message of a route: with parameters in the place of their names. */
export const messageOf = <R extends Route>(route: R, input: Partial<Input<R>> = {}): Message => {
  const [method = "", template = ""] = route.split(" ")
  const params: Readonly<Record<string, string | number>> = input.params ?? {}
  const path = template.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ""))
  return { ...input, method, path: path + queryOf(input.query ?? {}) }
}
