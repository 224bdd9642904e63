/** Rules over what a job says with a success: a backup that ends with 0 and has written "error" is no backup. */
import type { PreparedPassive } from "@kanmon/core/Check"
import { clip } from "@kanmon/core/Quote"
import * as TextSearch from "@kanmon/core/TextSearch"
import { type Reason, reason } from "@kanmon/domain/Reason"

interface TextRules {
  readonly bodyContains?: string
  readonly bodyNotContains?: string
}

/** Why the text breaks the rules; undefined when it does not. Takes linear time. */
export const disputed = (
  { bodyContains, bodyNotContains }: TextRules,
  said: string
): ReturnType<PreparedPassive["objection"]> => {
  if (bodyContains !== undefined && !TextSearch.includes(said, bodyContains))
    return mismatch(reason(said === "" ? "job_silent" : "output_lacks", { expected: clip(bodyContains) }))
  return bodyNotContains !== undefined && TextSearch.includes(said, bodyNotContains)
    ? mismatch(reason("output_contains", { found: clip(bodyNotContains) }))
    : undefined
}

const mismatch = (words: Reason) => ({ status: "down" as const, code: "body_mismatch", ...words })
