/** Errors of the API (RFC 9457), and how forms show them. */
import type { ProblemDetails } from "@kanmon/protocol/Problem"

type Details = typeof ProblemDetails.Type

/** A request that was refused, or that got no answer (`status` 0). */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly requestId: string | undefined
  readonly fields: ReadonlyArray<{ readonly path: string; readonly message: string }>
  /** Seconds after which a repetition may succeed. */
  readonly retryAfter: number | undefined

  constructor(details: Partial<Details> & { readonly status: number; readonly detail: string }, retryAfter?: number) {
    super(details.detail)
    this.name = "ApiError"
    this.status = details.status
    this.code = details.code ?? "unknown"
    this.requestId = details.requestId
    this.fields = details.errors ?? []
    this.retryAfter = retryAfter
  }
}

/** A form's errors: one for each field that the form has, and a sentence about the rest. */
export interface FormErrors {
  readonly fields: Readonly<Record<string, string>>
  readonly general: string | undefined
  /** The kind of problem. */
  readonly code?: string
}

/** Why something failed, in words. */
export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

export const noErrors: FormErrors = { fields: {}, general: undefined }

/**
 * Sorts the errors of a refused request to the fields of the form. Errors without a field become general. Fields below
 * `prefix` have their own names. With the name `hours.*`, each error below `hours` keeps its whole path.
 */
export const formErrors = (error: unknown, names: ReadonlyArray<string>, prefix = ""): FormErrors => {
  if (!(error instanceof ApiError)) return { fields: {}, general: reasonOf(error) }
  if (error.fields.length === 0) return { fields: {}, general: error.message, code: error.code }
  const fields: Record<string, string> = {}
  const rest: Array<string> = []
  const whole = names.filter((name) => name.endsWith(".*")).map((name) => name.slice(0, -1))
  for (const { message, path: full } of error.fields) {
    const path = full.startsWith(prefix) ? full.slice(prefix.length) : full
    const name = path.split(/[.[]/)[0]!
    if (whole.some((begin) => path.startsWith(begin))) fields[path] ??= message
    else if (names.includes(name)) fields[name] ??= path === name ? message : `${path.slice(name.length)}: ${message}`
    else rest.push(path === "" ? message : `${path}: ${message}`)
  }
  return { fields, general: rest.length === 0 ? undefined : rest.join("; "), code: error.code }
}

/** How a form shows what was wrong with it. */
export interface Sorting<Errors> {
  /** Sorts a refusal to the places where the form shows it. */
  readonly errorsOf: (error: unknown) => Errors
  readonly none: Errors
}

/** Sorts errors to these fields; `prefix` is that of fields which have their own names. */
export const byField = (names: ReadonlyArray<string>, prefix = ""): Sorting<FormErrors> => ({
  errorsOf: (error) => formErrors(error, names, prefix),
  none: noErrors
})
