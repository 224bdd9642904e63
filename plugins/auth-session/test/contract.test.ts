import { assert, describe, it } from "@effect/vitest"
import type { AuthRequest, User } from "@kanmon/core/Auth"
import { ProjectKeys } from "@kanmon/core/ProjectKeys"
import { ProvenAccounts } from "@kanmon/core/ProvenAccounts"
import { Sessions } from "@kanmon/core/Sessions"
import type { UserId } from "@kanmon/domain/Ids"
import * as AuthContract from "@kanmon/testkit/AuthContract"
import { Effect, Option, Result } from "effect"
import plugin from "../src/index.ts"

const session = plugin.auths[0]!
const caller: User = {
  _tag: "User",
  userId: "usr_01ARZ3NDEKTSV4RRFFQ69G5FAV" as UserId,
  email: "ada@example.org",
  name: "Ada",
  isAdmin: false,
  sessionId: "ses_1"
}
const request = (headers: AuthRequest["headers"]): AuthRequest => ({
  method: "GET",
  url: "/",
  peer: "192.0.2.1",
  headers
})

AuthContract.suite(session, { request: request({ cookie: "kanmon.session_token=a.b" }), caller })
AuthContract.suite(session, { request: request({ authorization: `Bearer kmu_${"a".repeat(43)}` }), caller })

/** The questions that a request leads to. */
const asked = Effect.fnUntraced(function* (headers: AuthRequest["headers"]) {
  const questions: Array<string> = []
  yield* Result.getOrThrow(session.start())(request(headers)).pipe(
    Effect.provideService(
      Sessions,
      Sessions.of({
        ofCookies: (cookies) => Effect.sync(() => (questions.push(`cookies ${cookies}`), Option.some(caller))),
        ofToken: (token) => Effect.sync(() => (questions.push(`token ${token}`), caller))
      })
    ),
    Effect.provideService(ProjectKeys, undefined as never),
    Effect.provideService(ProvenAccounts, undefined as never)
  )
  return questions
})

describe("a session", () => {
  it.effect("is a program's where a token comes with a cookie, which counts for nothing", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* asked({ authorization: "bearer  kmu_x", cookie: "a=b" }), ["token kmu_x"])
      assert.deepStrictEqual(yield* asked({ authorization: "Bearer other", cookie: "a=b" }), ["cookies a=b"])
    })
  )
})
