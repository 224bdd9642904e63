/** Reads the error of a response. */
import type { ProblemDetails } from "@kanmon/protocol/Problem"
import { t } from "../locales/text.ts"
import { ApiError } from "./problem.ts"

type Details = typeof ProblemDetails.Type

const isDetails = (value: unknown): value is Partial<Details> & { readonly detail: string } =>
  typeof value === "object" && value !== null && "detail" in value && typeof value.detail === "string"

/** Kanmon explains its refusals. What comes without an explanation was probably refused on the way. */
const unexplained = (status: number): string =>
  status === 413
    ? t("This is too large for the proxy in front of Kanmon.")
    : t("The answer has status {status} and no explanation. It may come from a proxy in front of Kanmon.", { status })

/** The error of a response that is not a success. */
export const errorOf = async (response: Response): Promise<ApiError> => {
  const body: unknown = await response.json().catch(() => undefined)
  const after = Number(response.headers.get("retry-after") ?? Number.NaN)
  const details = isDetails(body) ? body : { detail: unexplained(response.status) }
  return new ApiError({ ...details, status: response.status }, Number.isFinite(after) ? after : undefined)
}
