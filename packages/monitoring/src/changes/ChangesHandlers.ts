/** Changes that are made together, over HTTP. */
import { Api } from "@kanmon/protocol/Api"
import * as ChangesBody from "@kanmon/protocol/ChangesBody"
import { Caller, CallerProject, CallerRole } from "@kanmon/protocol/Middleware"
import { invalid } from "@kanmon/protocol/Problem"
import * as ProjectAccess from "@kanmon/platform/http/ProjectAccess"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as ChangeSet from "./ChangeSet.ts"

export const layer = HttpApiBuilder.group(
  Api,
  "changes",
  Effect.fnUntraced(function* (handlers) {
    const { make } = yield* ChangeSet.make

    return handlers.handleAll({
      apply: ({ payload }) =>
        Effect.gen(function* () {
          const { changes, dryRun = false } = yield* Effect.mapError(
            Effect.fromResult(ChangesBody.decode(payload)),
            ({ errors }) => invalid(errors)
          )
          if (!dryRun) yield* ProjectAccess.demand(yield* Caller, yield* CallerRole, "monitors.write")
          const results = yield* make(yield* CallerProject, changes, dryRun)
          return { dryRun, results }
        })
    })
  })
)
