/** Tests of how pages reach a person. */
import { PageTestId } from "@kanmon/domain/Ids"
import { PageTest } from "@kanmon/domain/PageTest"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as Body from "./Body.ts"
import { Authorization, Idempotency, JsonBody, Limits, Problems, UserOnly } from "./Middleware.ts"
import type { PageTestRequest } from "./PageTestBody.ts"
import { refuses } from "./Problem.ts"
import * as ContactExamples from "./internal/ContactExamples.ts"
import { operation } from "./internal/Operation.ts"

const params = { pageTestId: PageTestId }

export class PageTestsApi extends HttpApiGroup.make("pageTests")
  .add(
    HttpApiEndpoint.get("list", "/", { success: Schema.Array(PageTest) }).annotateMerge(
      operation({
        id: "listPageTests",
        summary: "List the own page tests",
        description:
          "Lists the newest page tests of the person, newest first: at most ten are kept, and one that runs.",
        response: [ContactExamples.pageTest]
      })
    ),
    HttpApiEndpoint.post("start", "/", {
      payload: Body.sent<PageTestRequest>("PageTestRequest"),
      success: PageTest.pipe(HttpApiSchema.status(201)),
      error: refuses("conflict", "rate_limited", "validation_failed")
    })
      .middleware(JsonBody)
      .middleware(Idempotency)
      .annotateMerge(
        operation({
          id: "startPageTest",
          summary: "Page yourself",
          description:
            "Pages the person as an alert of the severity would: by their own notification rules with the real delays, contact methods and quiet hours, and through the queue of all messages. Each message says that it is a test, and has the link that acknowledges. The test ends when it is acknowledged, when every page failed, or 30 minutes after its last page. An account can start five tests a day, one at a time; 409 while another one runs, and when no contact method would be used.",
          request: ContactExamples.pageTestRequest,
          response: ContactExamples.pageTest
        })
      ),
    HttpApiEndpoint.get("get", "/:pageTestId", {
      params,
      success: PageTest,
      error: refuses("not_found")
    }).annotateMerge(
      operation({
        id: "getPageTest",
        summary: "Get a page test",
        description: "Returns a page test of the person, with what became of each page so far.",
        response: ContactExamples.pageTest
      })
    ),
    HttpApiEndpoint.post("acknowledge", "/:pageTestId/acknowledge", {
      params,
      success: PageTest,
      error: refuses("not_found", "conflict")
    })
      .middleware(Idempotency)
      .annotateMerge(
        operation({
          id: "acknowledgePageTest",
          summary: "Acknowledge a page test",
          description:
            "Ends a page test that runs: pages that are not sent yet are dropped. The link in each of its messages does the same without signing in, and shows which page was answered. 409 when the test is over.",
          response: ContactExamples.acknowledgedPageTest
        })
      )
  )
  .middleware(UserOnly)
  .middleware(Limits)
  .middleware(Authorization)
  .middleware(Problems)
  .prefix("/account/page-tests")
  .annotateMerge(
    OpenApi.annotations({
      title: "Page tests",
      description: "Tests of how pages reach a person, by their own rules and contact methods."
    })
  ) {}
