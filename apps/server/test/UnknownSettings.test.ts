import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { warnings } from "../src/UnknownSettings.ts"

const known = new Set(["KANMON_SIGNUP", "KANMON_PORT", "KANMON_REGION", "KANMON_REGIONS", "SMTP_URL"])

describe("settings that are not known", () => {
  it("names the setting that was meant", () => {
    assert.deepStrictEqual(warnings(["KANMON_SIGN_UP", "KANMON_REGOIN", "KANMON_PROT"], known), [
      "KANMON_PROT is not a setting of Kanmon and has no effect; did you mean KANMON_PORT?",
      "KANMON_REGOIN is not a setting of Kanmon and has no effect; did you mean KANMON_REGION?",
      "KANMON_SIGN_UP is not a setting of Kanmon and has no effect; did you mean KANMON_SIGNUP?"
    ])
  })

  it("suggests nothing for a name that resembles none", () => {
    assert.deepStrictEqual(warnings(["KANMON_FLUX_CAPACITOR"], known), [
      "KANMON_FLUX_CAPACITOR is not a setting of Kanmon and has no effect"
    ])
  })

  it("accepts each known setting and the variables of other programs", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.constantFrom(...known),
            fc.string().map((text) => `OTHER_${text}`)
          )
        ),
        (names) => {
          assert.isEmpty(warnings(names, known))
        }
      )
    )
  })
})
