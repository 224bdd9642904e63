import * as Server from "@kanmon/domain/Severity"
import { Trigger } from "@kanmon/domain/Trigger"
import { assert, describe, it } from "@effect/vitest"
import { defaultSeverity } from "../src/features/rules/defaultSeverity.ts"

describe("the severity that the form names for a rule without one", () => {
  it("is the one that the server gives it", () => {
    for (const one of Trigger.literals)
      for (const other of Trigger.literals)
        assert.strictEqual(defaultSeverity([one, other]), Server.defaultSeverity([one, other]))
  })
})
