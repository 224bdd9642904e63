/** Page tests over HTTP: each handler only translates. */
import type { PageTestNotFound } from "@kanmon/domain/NotFound"
import type { PageTest } from "@kanmon/domain/PageTest"
import { asProblem } from "@kanmon/platform/http/AsProblem"
import { ApiSettings } from "@kanmon/platform/http/ApiSettings"
import * as Payload from "@kanmon/platform/http/Payload"
import { Api } from "@kanmon/protocol/Api"
import { CallerUser } from "@kanmon/protocol/Middleware"
import { decodePageTest } from "@kanmon/protocol/PageTestBody"
import { notFound, Problem } from "@kanmon/protocol/Problem"
import { Clock, Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { ContactMethodMessages } from "../contact-methods/index.ts"
import type { NoPageToTest, PageTestOver, PageTestRuns } from "./PageTestErrors.ts"
import type { StoredPageTest } from "./PageTestRepository.ts"
import { PageTests } from "./PageTests.ts"

export const layer = HttpApiBuilder.group(
  Api,
  "pageTests",
  Effect.fnUntraced(function* (handlers) {
    const tests = yield* PageTests
    const { takePageTest } = yield* ContactMethodMessages.make
    const { baseUrl } = yield* ApiSettings

    return handlers.handleAll({
      list: () => Effect.flatMap(CallerUser, ({ userId }) => Effect.map(tests.list(userId), (all) => all.map(shown))),
      get: ({ params }) =>
        Effect.gen(function* () {
          const { userId } = yield* CallerUser
          return shown(yield* tests.get(userId, params.pageTestId))
        }).pipe(refusing),
      start: ({ payload }) =>
        Effect.gen(function* () {
          const person = yield* CallerUser
          const { severity } = yield* severityIn(payload)
          const at = yield* Clock.currentTimeMillis
          const pages = yield* tests.planned(person.userId, severity, at)
          yield* takePageTest(
            person.userId,
            pages.map(({ contactMethodId }) => contactMethodId)
          )
          return shown(yield* tests.start(person, severity, baseUrl))
        }).pipe(refusing),
      acknowledge: ({ params }) =>
        Effect.gen(function* () {
          const { userId } = yield* CallerUser
          const { id } = yield* tests.get(userId, params.pageTestId)
          return shown(yield* tests.acknowledge(id, { pageId: null }))
        }).pipe(refusing)
    })
  })
)

const severityIn = Payload.read(decodePageTest)

const shown = ({ email: _, pages, userId: __, ...test }: StoredPageTest): PageTest => ({
  ...test,
  pages: pages.map(({ id: ___, testId: ____, ...page }) => page)
})

const refusing = asProblem({
  PageTestNotFound: (_: PageTestNotFound) => notFound("page test"),
  PageTestRuns: (_: PageTestRuns) =>
    new Problem({ code: "conflict", detail: "A page test is under way: acknowledge it before you start another one" }),
  NoPageToTest: ({ severity }: NoPageToTest) =>
    new Problem({
      code: "conflict",
      detail: `No contact method would page you for ${severity} alerts: confirm one, and name it in your notification rules`
    }),
  PageTestOver: ({ state }: PageTestOver) =>
    new Problem({
      code: "conflict",
      detail: state === "acknowledged" ? "The page test was acknowledged already" : "The page test is over"
    })
})
