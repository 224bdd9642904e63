import { assert, describe, it } from "@effect/vitest"
import type { ProjectKey } from "@kanmon/core/Auth"
import { ProjectKeys } from "@kanmon/core/ProjectKeys"
import { ProvenAccounts } from "@kanmon/core/ProvenAccounts"
import { Sessions } from "@kanmon/core/Sessions"
import { Effect, Option, Result } from "effect"
import plugin from "../src/index.ts"

const key = `km_${"a1B".repeat(14)}z`
const shop = "prj_01ARZ3NDEKTSV4RRFFQ69G5FAV" as ProjectKey["projectId"]

/** Authenticates against a store with one project, and returns the store's queries. */
const authenticate = (headers: Record<string, string>) =>
  Effect.gen(function* () {
    const asked: Array<string> = []
    const authenticate = Result.getOrThrow(plugin.auths[0]!.start())
    const request = { method: "GET", url: "/monitors", headers, peer: "192.0.2.1" }
    const result = yield* Effect.result(authenticate(request)).pipe(
      Effect.provideService(
        ProjectKeys,
        ProjectKeys.of({
          find: (text) =>
            Effect.sync(() => {
              asked.push(text)
              return text === key ? Option.some({ _tag: "ProjectKey", projectId: shop }) : Option.none()
            }),
          projectOf: () => Effect.succeedNone
        })
      ),
      Effect.provideService(Sessions, undefined as never),
      Effect.provideService(ProvenAccounts, undefined as never)
    )
    return { asked, result }
  })

describe("the API key", () => {
  it.effect("authenticates its project", () =>
    Effect.gen(function* () {
      const { result } = yield* authenticate({ "x-api-key": key })
      assert.deepStrictEqual(result._tag === "Success" && Option.getOrUndefined(result.success), {
        _tag: "ProjectKey",
        projectId: shop
      })
    })
  )

  it.effect("is left to other plugins when there is none", () =>
    Effect.gen(function* () {
      const { asked, result } = yield* authenticate({ authorization: `Bearer ${key}`, cookie: "a=b" })
      assert.isTrue(result._tag === "Success" && Option.isNone(result.success))
      assert.isEmpty(asked)
    })
  )

  it.effect("is refused without quoting it when it is unknown", () =>
    Effect.gen(function* () {
      const unknown = `km_${"x".repeat(43)}`
      const { asked, result } = yield* authenticate({ "x-api-key": unknown })
      assert.deepStrictEqual(asked, [unknown])
      assert.isTrue(result._tag === "Failure")
      if (result._tag === "Failure") assert.notInclude(result.failure.detail, unknown)
    })
  )

  it.effect.each([
    "",
    "km_",
    `${key}a`,
    key.slice(1),
    ` ${key}`,
    `${key}\n`,
    `${key}, ${key}`,
    "km_' or 1=1",
    "k".repeat(100_000)
  ])("is refused without a query when it is shaped like %j", (odd) =>
    Effect.gen(function* () {
      const { asked, result } = yield* authenticate({ "x-api-key": odd })
      assert.strictEqual(result._tag, "Failure")
      assert.isEmpty(asked)
    })
  )
})
