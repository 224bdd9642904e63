/** Rules over what a job says with a success: a backup that ends with 0 and has written "error" is no backup. */
import type { PreparedPassive } from "@kanmon/core/Check"
import { quote } from "@kanmon/core/Quote"
import * as TextSearch from "@kanmon/core/TextSearch"

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
    return mismatch(
      said === ""
        ? `The job wrote nothing; expected ${quote(bodyContains)}`
        : `The output of the job does not contain ${quote(bodyContains)}`
    )
  return bodyNotContains !== undefined && TextSearch.includes(said, bodyNotContains)
    ? mismatch(`The output of the job contains ${quote(bodyNotContains)}`)
    : undefined
}

const mismatch = (message: string) => ({ status: "down" as const, code: "body_mismatch", message })
