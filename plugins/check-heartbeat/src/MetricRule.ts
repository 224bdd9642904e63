/** Limits on the metrics of signals. */
import type { PreparedPassive } from "@kanmon/core/Check"
import { patternText } from "@kanmon/domain/BoundedText"
import { reason } from "@kanmon/domain/Reason"
import { Schema } from "effect"

export const MetricRule = Schema.Struct({
  metric: patternText(64, /^[A-Za-z_][\w.-]{0,63}$/, "Expected a metric's name"),
  /** The required relation between the metric and `value`. */
  op: Schema.Literals(["<", "<=", ">", ">="]),
  value: Schema.Finite,
  severity: Schema.optionalKey(Schema.Literals(["degraded", "down"]))
})
type MetricRule = typeof MetricRule.Type

const holds: Record<MetricRule["op"], (metric: number, value: number) => boolean> = {
  "<": (metric, value) => metric < value,
  "<=": (metric, value) => metric <= value,
  ">": (metric, value) => metric > value,
  ">=": (metric, value) => metric >= value
}

/** The most severe violation; missing metrics violate nothing. */
export const breached = (
  rules: ReadonlyArray<MetricRule>,
  metrics: Readonly<Record<string, number>>
): ReturnType<PreparedPassive["objection"]> => {
  const broken = rules.filter(({ metric, op, value }) => {
    const found = Object.hasOwn(metrics, metric) ? metrics[metric] : undefined
    return found !== undefined && !holds[op](found, value)
  })
  const worst = broken.find(({ severity }) => severity === "down") ?? broken[0]
  if (worst === undefined) return undefined
  const { metric, op, severity = "degraded", value } = worst
  return {
    status: severity,
    code: "metric_breached",
    ...reason("metric_breached", { metric, value: metrics[metric]!, op, limit: value })
  }
}
