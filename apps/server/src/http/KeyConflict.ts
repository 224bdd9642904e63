/** What is said when a key is taken. */
import { Problem } from "@kanmon/protocol/Problem"

/** `what` in the words of the wire: `monitor`, `channel`… */
export const problem = (what: string): Problem => {
  const message = `Another ${what} of this project has this key; choose another one, or change that ${what}`
  return new Problem({ code: "conflict", detail: `key: ${message}`, errors: [{ path: "key", message }] })
}
