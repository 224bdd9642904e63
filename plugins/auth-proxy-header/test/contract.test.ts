import { assert, describe, it } from "@effect/vitest"
import type { AuthRequest, User } from "@kanmon/core/Auth"
import { ProjectKeys } from "@kanmon/core/ProjectKeys"
import { ProvenAccounts } from "@kanmon/core/ProvenAccounts"
import { Sessions } from "@kanmon/core/Sessions"
import type { UserId } from "@kanmon/domain/Ids"
import * as AuthContract from "@kanmon/testkit/AuthContract"
import { Effect, Option, Result } from "effect"
import plugin from "../src/index.ts"

const auth = plugin.auths[0]!
const settings = {
  KANMON_AUTH_PROXY_HEADER: "Remote-Email",
  KANMON_AUTH_PROXY_ADDRESSES: "10.0.0.5, 10.1.0.0/16,fd00::/64"
}
const caller: User = {
  _tag: "User",
  userId: "usr_01ARZ3NDEKTSV4RRFFQ69G5FAV" as UserId,
  email: "ada@example.org",
  name: "Ada",
  isAdmin: false,
  provenAt: 0
}
const from = (peer: string): AuthRequest => ({
  method: "GET",
  url: "/",
  peer,
  headers: { "remote-email": "ada@example.org", "x-forwarded-for": "10.0.0.5", forwarded: "for=10.0.0.5" }
})

AuthContract.suite(auth, { settings, request: from("10.0.0.5"), caller })

const ask = (
  given: Readonly<Record<string, string>>,
  request: AuthRequest,
  known: Option.Option<User> = Option.some(caller)
) =>
  Effect.result(Result.getOrThrow(auth.start(given))(request)).pipe(
    Effect.provideService(ProvenAccounts, ProvenAccounts.of({ find: () => Effect.succeed(known) })),
    Effect.provideService(ProjectKeys, undefined as never),
    Effect.provideService(Sessions, undefined as never)
  )

const none = Result.succeed(Option.none())

describe("the header of a proxy", () => {
  it.effect.each(["10.0.0.5", "10.1.255.255", "::ffff:10.0.0.5", "fd00::1"])("counts from %s", (peer) =>
    Effect.map(ask(settings, from(peer)), (found) => assert.deepStrictEqual(found, Result.succeed(Option.some(caller))))
  )

  it.effect.each(["10.0.0.6", "10.2.0.0", "127.0.0.1", "::1", "::ffff:10.0.0.6", "fd00:0:0:1::1", "fd00::1%eth0", ""])(
    "counts for nothing from %j",
    (peer) => Effect.map(ask(settings, from(peer)), (found) => assert.deepStrictEqual(found, none))
  )

  it.effect("counts for nothing until it is set up", () =>
    Effect.map(ask({}, from("10.0.0.5")), (found) => assert.deepStrictEqual(found, none))
  )

  it.effect("is refused with a reason when it names no account, and when it is no address", () =>
    Effect.gen(function* () {
      const unknown = yield* ask(settings, from("10.0.0.5"), Option.none())
      assert.include(Result.getOrThrow(Result.flip(unknown)).detail, "No account has verified")
      for (const value of ["ada", "ada@example.org, eve@example.org", " "]) {
        const odd = yield* ask(settings, { ...from("10.0.0.5"), headers: { "remote-email": value } })
        assert.include(Result.getOrThrow(Result.flip(odd)).detail, "no e-mail address in the header Remote-Email")
      }
    })
  )

  it.each([
    [{ KANMON_AUTH_PROXY_HEADER: "Remote-Email" }, "KANMON_AUTH_PROXY_ADDRESSES"],
    [{ KANMON_AUTH_PROXY_ADDRESSES: "10.0.0.5" }, "KANMON_AUTH_PROXY_HEADER"],
    ...["a header", "", "X:Y", "é"].map((name) => [
      { ...settings, KANMON_AUTH_PROXY_HEADER: name },
      "KANMON_AUTH_PROXY_HEADER"
    ]),
    ...["", "proxy.example", "10.0.0.0/33", "0.0.0.0/0", "::/0", "10.0.0.5;10.0.0.6", "10.0.0.5,", "1/2/3"].map(
      (list) => [{ ...settings, KANMON_AUTH_PROXY_ADDRESSES: list }, "KANMON_AUTH_PROXY_ADDRESSES"]
    )
  ] as ReadonlyArray<readonly [Readonly<Record<string, string>>, string]>)("is not set up by %j", (given, path) => {
    const errors = Result.getOrThrow(Result.flip(auth.start(given))).errors
    assert.deepStrictEqual(
      errors.map((error) => error.path),
      [path]
    )
  })
})
