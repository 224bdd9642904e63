/**
 * Inverted monitors, which are up while their check fails: a port that must be closed, a page that must be gone. Results
 * are inverted after the probe has evaluated its connectivity, for which an answer proves a working network and a failure
 * may not.
 */
import { type Reason, reason } from "@kanmon/domain/Reason"
import type { CheckOutcome } from "@kanmon/domain/Observation"
import type { Schema } from "effect"
import type { Check } from "./Check.ts"

/** The target was not contacted. */
const refusedByPolicy = "address_refused"

/** Inverts the result if the monitor's stored configuration asks for it. */
export const apply = <Found extends CheckOutcome>(
  check: Check | undefined,
  config: Schema.JsonObject,
  found: Found
): Found => {
  const inversion = check?.inversion
  return inversion !== undefined && config[inversion.field] === true ? inverted(found, inversion.inconclusive) : found
}

/** Passed becomes down and failed becomes up; inconclusive failures stay. */
export const inverted = <Found extends CheckOutcome>(found: Found, inconclusive: ReadonlyArray<string> = []): Found => {
  const { facts, failure, status } = found
  switch (status) {
    case "unknown":
      return found
    case "up":
    case "degraded":
      return { ...found, status: "down", failure: { code: "unexpected_success", ...unexpected(facts) } }
    case "down":
      return failure === null || failure.code === refusedByPolicy || inconclusive.includes(failure.code)
        ? found
        : { ...found, status: "up", failure: null, facts: { ...facts, expectedFailure: failure } }
  }
}

const unexpected = ({ statusCode }: CheckOutcome["facts"]): Reason =>
  typeof statusCode === "number"
    ? reason("expected_to_fail_answered", { status: statusCode })
    : reason("expected_to_fail", {})
