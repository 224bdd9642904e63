/** The sessions of the account that is signed in: where it is signed in, and how to end that. */
import { boundedText } from "@kanmon/domain/BoundedText"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { AccountSession } from "./AccountBody.ts"
import { Deleted } from "./Lists.ts"
import { Authorization, Limits, Problems, UserOnly } from "./Middleware.ts"
import { refuses } from "./Problem.ts"
import * as Examples from "./internal/AccountExamples.ts"
import { operation } from "./internal/Operation.ts"

export class SessionsApi extends HttpApiGroup.make("sessions")
  .add(
    HttpApiEndpoint.get("list", "/", { success: Schema.Array(AccountSession) }).annotateMerge(
      operation({
        id: "listSessions",
        summary: "List sessions",
        description:
          "Lists where the account is signed in, newest first: at most a thousand sessions that have not ended. Their tokens are never shown.",
        response: [Examples.accountSession]
      })
    ),
    HttpApiEndpoint.delete("end", "/:sessionId", {
      params: { sessionId: boundedText(100) },
      success: Deleted,
      error: refuses("not_found")
    }).annotateMerge(
      operation({
        id: "deleteSession",
        summary: "Delete a session",
        description:
          "Ends one session of the account, which may be the one of this request. It is refused with 401 from then on.",
        response: { id: Examples.accountSession.id, deleted: true }
      })
    ),
    HttpApiEndpoint.delete("endOthers", "/", {
      success: Schema.Struct({ ended: Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)) })
    }).annotateMerge(
      operation({
        id: "deleteOtherSessions",
        summary: "Delete all other sessions",
        description: "Ends every session of the account except the one of this request, and says how many those were.",
        response: { ended: 2 }
      })
    )
  )
  .middleware(UserOnly)
  .middleware(Limits)
  .middleware(Authorization)
  .middleware(Problems)
  .prefix("/account/sessions")
  .annotateMerge(OpenApi.annotations({ title: "Sessions", description: "Where an account is signed in." })) {}
