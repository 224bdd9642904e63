/**
 * Holds rules that were made or changed against the monitors as they are: an outage that goes on is alerted at once, not at its
 * next failing check.
 */
import { certificate, conditionsOf } from "@kanmon/domain/Alerting"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { type Deciding, type JudgedMonitor, Judging, settingsOf } from "@kanmon/store/history/Judging"
import type { Domains } from "@kanmon/store/monitors/Domains"
import { Clock, Effect, Layer } from "effect"
import * as DomainWatch from "../expiry/DomainWatch.ts"
import { every } from "../Job.ts"
import { Alerts, type Moment } from "./Alerts.ts"

const pollInterval = "500 millis"
const page = 500

/** A monitor as it stands, with no check that has just been made. */
export const asItStands = (monitor: JudgedMonitor, at: EpochMillis): Moment => {
  const settings = settingsOf(monitor)
  const shown = certificate(monitor.state, settings)
  return {
    monitorId: monitor.id,
    at,
    conditions: conditionsOf(monitor.state, settings),
    evidence: { state: monitor.state, ...(shown === undefined ? {} : { certificate: shown }) }
  }
}

/** Decides about the alerts of monitors as they stand at an instant. */
export const deciding =
  (alerts: Alerts["Service"], at: EpochMillis): Deciding =>
  (monitors, book) =>
    alerts.decide(
      monitors.map((monitor) => asItStands(monitor, at)),
      book
    )

/** Reviews every rule that waits for it. */
export const look: Effect.Effect<void, never, Alerts | Domains | Judging> = Effect.gen(function* () {
  const alerts = yield* Alerts
  const judging = yield* Judging
  let domains = false
  for (;;) {
    const reviewed = yield* judging.review(page, deciding(alerts, yield* Clock.currentTimeMillis))
    if (reviewed === undefined) break
    if (reviewed.triggers.some((trigger) => trigger.startsWith("domain"))) domains = true
  }
  if (domains) yield* DomainWatch.decide
})

export const layer: Layer.Layer<never, never, Alerts | Domains | Judging> = Layer.effectDiscard(
  every(pollInterval, "Reviewing alert rules", look)
)
