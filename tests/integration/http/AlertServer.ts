/** The API with evaluations, so that tests can open and close alerts. */
import { Catalogue } from "@kanmon/core/PluginHost"
import { Alerts } from "@kanmon/monitoring/testing/alerts/Alerts.ts"
import { layerEvaluation } from "@kanmon/monitoring/evaluation"
import type { MonitorId, ProjectId } from "@kanmon/domain/Ids"
import { SqlClient } from "effect/sql"
import { Clock, Effect, Layer } from "effect"
import { bundled } from "../../../apps/server/src/plugins.gen.ts"
import { evaluateBatch, noon, observed } from "../../support/Stage.ts"
import { type Options, layer as server, person, publicUrl, shop } from "./Server.ts"

export const layer = (options: Options = {}) =>
  layerEvaluation.pipe(
    Layer.provideMerge(Alerts.layer(publicUrl)),
    Layer.provide(Catalogue.layer(bundled)),
    Layer.provideMerge(server(options))
  )

/** A person with a monitor, a webhook and a rule; `down` and `up` are what its check finds in that minute. */
export const outage = (fields: { readonly url?: string; readonly rule?: object; readonly monitor?: object } = {}) =>
  Effect.gen(function* () {
    const ada = yield* person
    const { body: channel } = yield* ada.withKey("POST", "/notification-channels", {
      name: "On call",
      type: "webhook",
      config: { url: fields.url ?? "https://example.org/hook" }
    })
    const { body: rule } = yield* ada.withKey("POST", "/alert-rules", { name: "Down", ...fields.rule })
    const { body: monitor } = yield* ada.withKey("POST", "/monitors", { ...shop, ...fields.monitor })
    const watched = { id: monitor.id as MonitorId, projectId: ada.projectId as ProjectId }
    // Never ahead of the clock: what has not happened yet is not listed, and not sent.
    const minutes = Math.floor((Date.now() - noon) / 60_000)
    const find = Effect.fnUntraced(function* (status: "up" | "down", minute: number) {
      const found = observed(watched, minutes + minute, status)
      // An end follows what the test did before, however long that took.
      const earliest = status === "up" ? yield* Clock.currentTimeMillis : found.checkedAt
      return yield* evaluateBatch([{ ...found, checkedAt: Math.max(found.checkedAt, earliest) }])
    })
    return {
      ada,
      channel,
      rule,
      monitor,
      down: (minute = 0) => find("down", minute),
      up: (minute = 1) => find("up", minute)
    }
  })

/** The public events about alerts of a project that wait in the outbox, oldest first. */
export const events = (projectId: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql<{ subject: string; payload: string }>`SELECT event->>'subject' AS subject,
      event->>'payload' AS payload FROM outbox WHERE event->>'subject' LIKE ANY(${[`kanmon.events.${projectId}.alert.%`, `kanmon.events.${projectId}.external-alert.%`]}::text[])
      ORDER BY sequence`
    return rows.map(({ payload, subject }) => ({ name: subject.split(".").at(-1), data: JSON.parse(payload) }))
  })
