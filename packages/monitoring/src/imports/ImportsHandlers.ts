/** Imports over HTTP. */
import { Api } from "@kanmon/protocol/Api"
import { Caller, CallerProject } from "@kanmon/protocol/Middleware"
import { invalid, Problem } from "@kanmon/protocol/Problem"
import type { ImportedFile } from "@kanmon/protocol/ImportBody"
import { Entitlement } from "@kanmon/identity/billing"
import type { ProjectId } from "@kanmon/domain/Ids"
import { Clock, Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { CallerOwners } from "@kanmon/platform/http/CallerOwners"
import { ImportedKeyRepository } from "./ImportedKeyRepository.ts"
import { NotPlanned, UptimeKumaReader } from "./UptimeKumaReader.ts"

const asProblem = ({ message, reason }: NotPlanned) => {
  switch (reason) {
    case "unreadable":
      return invalid([{ path: "", message }])
    case "too_large":
      return new Problem({ code: "payload_too_large", detail: message })
    case "busy":
      return new Problem({ code: "rate_limited", detail: message, retryAfter: 10 })
  }
}

const keyOf = ({ key }: ImportedFile["steps"][number]["body"]): string | undefined =>
  typeof key === "string" ? key : undefined

export const layer = HttpApiBuilder.group(
  Api,
  "imports",
  Effect.fnUntraced(function* (handlers) {
    const reader = yield* UptimeKumaReader
    const accounts = yield* CallerOwners
    const entitlement = yield* Entitlement
    const keys = yield* ImportedKeyRepository

    /** The plan for a project: what it has already, and what its organization may have. */
    const planFor = Effect.fnUntraced(function* (projectId: ProjectId, { steps, ...file }: ImportedFile) {
      const found = yield* keys.find(
        projectId,
        steps.flatMap(({ body }) => keyOf(body) ?? [])
      )
      const existing = new Set(found.map(({ key, kind }) => `${kind} ${key}`))
      return {
        ...file,
        steps: steps.map((step) => ({ ...step, exists: existing.has(`${step.kind} ${keyOf(step.body)}`) })),
        shortestInterval: yield* entitlement.shortestInterval(projectId, yield* Clock.currentTimeMillis)
      }
    })

    return handlers.handleAll({
      uptimeKuma: ({ payload }) =>
        Effect.flatMap(Caller, accounts.of).pipe(
          Effect.flatMap((account) => reader.plan(account, payload)),
          Effect.mapError((failure) =>
            failure instanceof NotPlanned
              ? asProblem(failure)
              : new Problem({
                  code: "request_timeout",
                  detail: "The file did not arrive completely; send it again"
                })
          ),
          Effect.flatMap((file) => Effect.flatMap(CallerProject, (projectId) => planFor(projectId, file)))
        )
    })
  })
)
