/** Who is an admin: nobody by the mere wording of an address. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { call, cookieOf, layer as server, password, refused } from "./Server.ts"

const live = { excludeTestServices: true } as const

const plan = { name: "Mine", monitors: 10, checkInterval: 60, regions: 1, price: 0 }

layer(server({ adminEmails: ["boss@example.org"] }), live)("an address of KANMON_ADMIN_EMAILS", (it) => {
  it.effect.each(["BOSS@example.org"])("gives no rights to a stranger who signs up as %s", (email) =>
    Effect.gen(function* () {
      const cookie = cookieOf(yield* call("POST", "/auth/sign-up/email", { name: "Eve", email, password }))
      const answer = yield* call("POST", "/billing/plans", plan, { cookie })
      refused(answer, 403, "forbidden")
      assert.include(answer.body.detail, "kanmon admin grant")
    })
  )
})
