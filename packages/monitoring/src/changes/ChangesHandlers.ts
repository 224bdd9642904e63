/** Changes that are made together, over HTTP. */
import { Api } from "@kanmon/protocol/Api"
import * as ChangesBody from "@kanmon/protocol/ChangesBody"
import { Caller, CallerProject, CallerRole } from "@kanmon/protocol/Middleware"
import { invalid, notFound } from "@kanmon/protocol/Problem"
import { Projects } from "@kanmon/identity/projects"
import * as OrganizationAccess from "@kanmon/platform/http/OrganizationAccess"
import * as ProjectAccess from "@kanmon/platform/http/ProjectAccess"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as ChangeSet from "./ChangeSet.ts"

const { organizationKinds } = ChangesBody

const permissions = {
  schedule: { read: "schedules.read", write: "schedules.write" },
  policy: { read: "escalationPolicies.read", write: "escalationPolicies.write" }
} as const satisfies Record<(typeof organizationKinds)[number], object>

export const layer = HttpApiBuilder.group(
  Api,
  "changes",
  Effect.fnUntraced(function* (handlers) {
    const { make } = yield* ChangeSet.make
    const { ownerOf } = yield* Projects
    const roles = yield* OrganizationAccess.OrganizationRoles

    /** Schedules and policies need the role in the organization, whatever the one in the project is. */
    const demandOfOrganization = Effect.fnUntraced(function* (changes: ReadonlyArray<unknown>, dryRun: boolean) {
      const named = organizationKinds.filter((kind) =>
        changes.some(
          (change) => typeof change === "object" && change !== null && "kind" in change && change.kind === kind
        )
      )
      if (named.length === 0) return
      const id = yield* ownerOf(yield* CallerProject)
      if (id === undefined) return yield* notFound("project")
      for (const kind of named)
        yield* Effect.provideService(
          OrganizationAccess.ofCaller(yield* Caller, id, permissions[kind][dryRun ? "read" : "write"]),
          OrganizationAccess.OrganizationRoles,
          roles
        )
    })

    return handlers.handleAll({
      apply: ({ payload }) =>
        Effect.gen(function* () {
          const { changes, dryRun = false } = yield* Effect.mapError(
            Effect.fromResult(ChangesBody.decode(payload)),
            ({ errors }) => invalid(errors)
          )
          if (!dryRun) yield* ProjectAccess.demand(yield* Caller, yield* CallerRole, "monitors.write")
          yield* demandOfOrganization(changes, dryRun)
          const results = yield* make(yield* CallerProject, changes, dryRun)
          return { dryRun, results }
        })
    })
  })
)
