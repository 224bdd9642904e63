/** Signals over HTTP: each handler only translates. */
import type { MonitorNotFound } from "@kanmon/domain/NotFound"
import { dayMillis } from "@kanmon/domain/Timestamp"
import { Api } from "@kanmon/protocol/Api"
import { CallerProject } from "@kanmon/protocol/Middleware"
import { notFound, Problem } from "@kanmon/protocol/Problem"
import { SignalRecord } from "@kanmon/protocol/SignalsApi"
import { Effect, Layer, Schema } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { ApiSettings } from "@kanmon/platform/http/ApiSettings"
import { asProblem } from "@kanmon/platform/http/AsProblem"
import * as Paging from "@kanmon/platform/http/Paging"
import * as Window from "@kanmon/platform/http/Window"
import { SignalLog } from "./SignalLog.ts"
import type { Place } from "./SignalRepository.ts"

const defaultMillis = 30 * dayMillis
const defaultLimit = 1000

export const layer = HttpApiBuilder.group(
  Api,
  "signals",
  Effect.fnUntraced(function* (handlers) {
    const log = yield* SignalLog
    const { baseUrl } = yield* ApiSettings

    return handlers.handleAll({
      list: ({ params: { monitorId }, query }) =>
        Effect.gen(function* () {
          const { kind, limit = defaultLimit } = query
          const window = yield* Window.read(query, defaultMillis)
          const after = yield* placeOf(query.cursor)
          const asked = { ...window, monitorId, limit, kind, after }
          const { items, last } = yield* log.list(yield* CallerProject, asked)
          return yield* Paging.answer({ items, next: last && cursorOf(last) }, encode, baseUrl)
        }).pipe(refusing),
      body: ({ params: { monitorId, signalId } }) =>
        Effect.flatMap(CallerProject, (projectId) => log.text(projectId, monitorId, signalId)).pipe(refusing)
    })
  })
).pipe(Layer.provide(SignalLog.layer))

const encode = Schema.encodeSync(SignalRecord)

const refusing = asProblem({ MonitorNotFound: (_: MonitorNotFound) => notFound("monitor") })

const cursorOf = ({ at, id }: Place): string => Buffer.from(`${at}:${id}`).toString("base64url")

/** The place of a cursor; undefined without one. Fails for a text that is no cursor of this list. */
const placeOf = (cursor: string | undefined): Effect.Effect<Place | undefined, Problem<"malformed_request">> => {
  if (cursor === undefined) return Effect.succeed(undefined)
  const [, at, id] =
    /^(\d{1,15}):(sig_\w{1,64})$/.exec(Buffer.from(cursor, "base64url").toString("utf8").slice(0, 100)) ?? []
  if (at !== undefined && id !== undefined) return Effect.succeed({ at: Number(at), id })
  const message = "Expected the cursor of a Link header"
  return Effect.fail(
    new Problem({ code: "malformed_request", detail: `cursor: ${message}`, errors: [{ path: "cursor", message }] })
  )
}
