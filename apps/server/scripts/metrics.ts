/** Every metric that a process may have, by the part that keeps it. */
import * as BusMetrics from "@kanmon/bus/BusMetrics"
import * as BusClock from "@kanmon/core/BusClock"
import * as EngineMetrics from "@kanmon/engine/EngineMetrics"
import * as ProbeMetrics from "@kanmon/probe/ProbeMetrics"
import { Metric } from "effect"
import * as HttpMetrics from "../src/http/HttpMetrics.ts"
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
  Engines: of(EngineMetrics),
  "Whoever reads the bus": of(BusMetrics),
  Apis: of(HttpMetrics.metrics)
}
