/** Why changes of escalation policies are refused. */
import { Data } from "effect"

/** The organization has as many policies as it may. */
export class TooManyPolicies extends Data.TaggedError("TooManyPolicies")<{ readonly limit: number }> {}

/** Something uses the policy; `users` names it. */
export class PolicyInUse extends Data.TaggedError("PolicyInUse")<{ readonly users: ReadonlyArray<string> }> {}
