/** In a change, null puts any optional field back to its default. */
import { assert, it } from "@effect/vitest"
import { AlertRule } from "@kanmon/domain/AlertRule"
import { Result, Schema } from "effect"
import * as Examples from "../src/internal/Examples.ts"
import * as RuleBody from "../src/RuleBody.ts"

const rule = Schema.decodeSync(AlertRule)({ ...Examples.rule, tags: ["prod"], resendEvery: 10 })
const defaults = Result.getOrThrow(RuleBody.decode({ name: rule.name }))

it.each(["monitorIds", "tags", "channelIds", "consecutiveFailures", "resendEvery", "triggers"] as const)(
  "puts %s of a rule back to its default",
  (field) => {
    const changed = Result.getOrThrow(RuleBody.decode(RuleBody.merge(rule, { [field]: null })))
    assert.deepStrictEqual(changed[field], defaults[field])
  }
)

it("keeps required fields required", () => {
  assert.isTrue(Result.isFailure(RuleBody.decode(RuleBody.merge(rule, { name: null }))))
})
