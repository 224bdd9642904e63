/** Types of route requests. `npm run check:types` is the test; nothing is sent. */
import { describe, expectTypeOf, it } from "vitest"
import type { RouteMap } from "../src/RouteMap.ts"

type Request<Name extends keyof RouteMap> = RouteMap[Name]["request"]
type Response<Name extends keyof RouteMap> = RouteMap[Name]["response"]

describe("the types of routes", () => {
  it("name the parameters of the path, all of them", () => {
    expectTypeOf<Request<"DELETE /projects/:projectId/api-keys/:keyId">["params"]>().toEqualTypeOf<{
      readonly projectId: string
      readonly keyId: string
    }>()
    expectTypeOf<{ readonly params: { readonly projectId: string } }>().not.toExtend<
      Request<"DELETE /projects/:projectId/api-keys/:keyId">
    >()
  })

  it("have bodies and answers as JSON, with ids and moments as text", () => {
    expectTypeOf<Request<"POST /alerts/:alertId/snooze">["body"]>().toEqualTypeOf<{ readonly until: string }>()
    expectTypeOf<Response<"GET /incidents">[number]["createdAt"]>().toEqualTypeOf<string>()
    expectTypeOf<Response<"GET /incidents">[number]["id"]>().toEqualTypeOf<string>()
    expectTypeOf<Response<"DELETE /monitors/:monitorId">>().toEqualTypeOf<{
      readonly id: string
      readonly deleted: true
    }>()
  })

  it("take numbers in queries, and lists as repetitions", () => {
    type Query = NonNullable<Request<"GET /alerts">["query"]>
    expectTypeOf<{ readonly limit: 50; readonly state: ReadonlyArray<"open"> }>().toExtend<Query>()
    expectTypeOf<{ readonly state: ReadonlyArray<"lost"> }>().not.toExtend<Query>()
  })

  it("have no body where the contract has none, and no route of another method", () => {
    expectTypeOf<NonNullable<Request<"POST /auth/sign-out">["body"]>>().toEqualTypeOf<never>()
    expectTypeOf<"PUT /monitors">().not.toExtend<keyof RouteMap>()
  })

  it("know what has a time zone of its own to change", () => {
    expectTypeOf<{ readonly timezone: string | null }>().toExtend<Request<"POST /auth/update-user">["body"]>()
  })
})
