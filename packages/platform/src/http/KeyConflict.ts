/** The problem for a key that is already in use. */
import { Problem } from "@kanmon/protocol/Problem"

/** `what` is the API's noun: `monitor`, `channel`… */
export const problem = (what: string): Problem<"conflict"> => {
  const message = `Another ${what} of this project already has this key; choose another key or update that ${what}`
  return new Problem({ code: "conflict", detail: `key: ${message}`, errors: [{ path: "key", message }] })
}
