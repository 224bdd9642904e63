/** Every metric that a process may have, by the part that keeps it. */
import * as BusMetrics from "@kanmon/bus/BusMetrics"
import * as BusClock from "@kanmon/core/BusClock"
import { DeliveryMetrics } from "@kanmon/monitoring/delivery"
import { EvaluationMetrics } from "@kanmon/monitoring/evaluation"
import * as OutboxMetrics from "@kanmon/platform/outbox/OutboxMetrics"
import * as ProbeMetrics from "@kanmon/probe/ProbeMetrics"
import { Metric } from "effect"
import * as HttpMetrics from "@kanmon/platform/http/HttpMetrics"
import * as ProcessMetrics from "../src/ProcessMetrics.ts"

export interface Described {
  readonly name: string
  readonly type: string
  readonly description: string
}

const of = (module: object): ReadonlyArray<Described> =>
  Object.values(module)
    .filter((value) => Metric.isMetric(value))
    .map(({ description, id, type }) => ({ name: id, type: type.toLowerCase(), description: description ?? "" }))

/** In the order in which they are documented. */
export const metrics: Readonly<Record<string, ReadonlyArray<Described>>> = {
  "Every process": [...of(ProcessMetrics.metrics), ...of(BusClock)],
  Probes: of(ProbeMetrics),
  Engines: [...of(EvaluationMetrics), ...of(OutboxMetrics), ...of(DeliveryMetrics)],
  "Bus consumers": of(BusMetrics),
  APIs: of(HttpMetrics.metrics)
}
