/**
 * Monitors that are up while their check fails: a port that must be closed, a page that must be gone. Results are turned
 * around when the probe has decided whether it could look at all: to the probe itself a target that answers is a sign of a
 * working network, and one that does not may be a sign of the contrary.
 */
import type { Outcome } from "@kanmon/domain/Observation"
import type { Schema } from "effect"
import type { Check } from "./Check.ts"

/** The target was not asked at all. */
const refusedByPolicy = "address_refused"

/** The result as a monitor with this stored configuration means it. */
export const apply = <Found extends Outcome>(
  check: Check | undefined,
  config: Schema.JsonObject,
  found: Found
): Found => {
  const inversion = check?.inversion
  return inversion !== undefined && config[inversion.field] === true ? inverted(found, inversion.inconclusive) : found
}

/** What passed is down, what failed is up; what says nothing of the target stays as it is. */
export const inverted = <Found extends Outcome>(found: Found, inconclusive: ReadonlyArray<string> = []): Found => {
  const { facts, failure, status } = found
  switch (status) {
    case "unknown":
      return found
    case "up":
    case "degraded":
      return { ...found, status: "down", failure: { code: "unexpected_success", message: unexpected(facts) } }
    case "down":
      return failure === null || failure.code === refusedByPolicy || inconclusive.includes(failure.code)
        ? found
        : { ...found, status: "up", failure: null, facts: { ...facts, expectedFailure: failure } }
  }
}

const unexpected = ({ statusCode }: Outcome["facts"]): string =>
  typeof statusCode === "number"
    ? `The check is expected to fail, but the target answered ${statusCode}`
    : "The check is expected to fail, but it passed"
