/** Why a request is not done, before it becomes a response. */
import type { ProblemCode } from "@kanmon/domain/ProblemCode"
import type { FieldError } from "@kanmon/domain/FieldErrors"

export interface Refusal {
  readonly code: ProblemCode
  readonly detail: string
  readonly errors?: ReadonlyArray<FieldError>
  /** Seconds. */
  readonly retryAfter?: number
  /** The code for OAuth clients. */
  readonly error?: string
}
