/** Imports over HTTP. */
import { Api } from "@kanmon/protocol/Api"
import { Caller } from "@kanmon/protocol/Middleware"
import { invalid, Problem } from "@kanmon/protocol/Problem"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { CallerOwners } from "@kanmon/platform/http/CallerOwners"
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

export const layer = HttpApiBuilder.group(
  Api,
  "imports",
  Effect.fnUntraced(function* (handlers) {
    const reader = yield* UptimeKumaReader
    const accounts = yield* CallerOwners

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
          )
        )
    })
  })
)
