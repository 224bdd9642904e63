/** The stored data of the signed-in account: export and deletion. */
import { boundedText } from "@kanmon/domain/BoundedText"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Deleted } from "./Lists.ts"
import { Authorization, JsonBody, Limits, Problems, UserOnly } from "./Middleware.ts"
import { refuses } from "./Problem.ts"
import * as Examples from "./internal/AccountExamples.ts"
import { operation } from "./internal/Operation.ts"

const Rows = Schema.Array(Schema.Record(Schema.String, Schema.Json))

/** Everything that is stored about a person, without secrets. */
export const AccountExport = Schema.Struct({
  account: Schema.Record(Schema.String, Schema.Json).annotate({ description: "Name, address, language, dates" }),
  sessions: Rows.annotate({ description: "Where the account is signed in" }),
  passkeys: Rows,
  memberships: Rows.annotate({ description: "The account's organizations, and its role in each" }),
  projectRoles: Rows.annotate({ description: "Roles that are raised for single projects" }),
  auditLog: Rows.annotate({
    description: "Changes by the account and to the account: the newest thousand entries"
  }),
  onCall: Schema.Record(Schema.String, Rows).annotate({
    description:
      "Times away, overrides of on-call shifts that name the account, its calendar, contact methods, notification rules and quiet hours"
  }),
  owned: Schema.Record(Schema.String, Rows).annotate({
    description: "Records of organizations that have the account as their only member, by kind"
  })
}).annotate({ identifier: "AccountExport" })

export class AccountApi extends HttpApiGroup.make("account")
  .add(
    HttpApiEndpoint.get("export", "/export", { success: AccountExport }).annotateMerge(
      operation({
        id: "getAccountExport",
        forImpersonators: false,
        summary: "Get the account's data",
        description:
          "Returns everything that is stored about the signed-in person, and what they alone own, without passwords, keys and other secrets.",
        response: {
          account: { id: Examples.user.id, name: Examples.user.name, email: Examples.user.email },
          sessions: [],
          passkeys: [],
          memberships: [],
          projectRoles: [],
          auditLog: [],
          onCall: { away: [], overrides: [], calendars: [], contactMethods: [], notificationRules: [], quietHours: [] },
          owned: { projects: [], monitors: [] }
        }
      })
    ),
    HttpApiEndpoint.delete("delete", "/", {
      payload: Schema.Struct({
        password: Schema.optionalKey(
          boundedText(1024).annotate({
            description:
              "Needed if the account has one; else the person must have signed in within the last ten minutes"
          })
        )
      }),
      success: Deleted,
      error: refuses("conflict", "forbidden", "proof_required", "rate_limited", "validation_failed")
    })
      .middleware(JsonBody)
      .annotateMerge(
        operation({
          id: "deleteAccount",
          summary: "Delete the account",
          description:
            "Deletes the signed-in account, and every organization of which it is the only member with all that it owns. 409 while the account is the last owner of an organization with other members, or such an organization pays for a subscription. This cannot be undone.",
          request: { password: "the password of the account" },
          response: { id: Examples.user.id, deleted: true }
        })
      )
  )
  .middleware(UserOnly)
  .middleware(Limits)
  .middleware(Authorization)
  .middleware(Problems)
  .prefix("/account")
  .annotateMerge(OpenApi.annotations({ title: "Account", description: "A copy of an account, and its end." })) {}
