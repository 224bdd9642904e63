/** Traces, metrics and logs to an OTLP collector, when one is configured. Prometheus reads `GET /metrics` either way. */
import { Effect, Layer, Option } from "effect"
import { FetchHttpClient, UrlParams } from "effect/http"
import { Otlp, OtlpSerialization } from "effect/observability"
import { maskAll } from "@kanmon/platform/LogMask"
import { Settings } from "./Settings.ts"
import { version } from "@kanmon/platform/version"

/** Exported logs and traces are masked like printed ones. */
const serialization = Layer.effect(
  OtlpSerialization.OtlpSerialization,
  Effect.map(OtlpSerialization.OtlpSerialization, ({ logs, metrics, traces }) => ({
    metrics,
    logs: (data) => logs(maskAll(data)),
    traces: (data) => traces(maskAll(data))
  }))
).pipe(Layer.provide(OtlpSerialization.layerJson))

/** Adds its logger to the existing ones. */
export const layer: Layer.Layer<never, never, Settings> = Layer.unwrap(
  Effect.map(Settings, (settings) =>
    Option.match(settings.otlpEndpoint, {
      onNone: () => Layer.empty,
      onSome: (baseUrl) =>
        Layer.merge(
          Otlp.layer({ baseUrl, resource: { serviceName: "kanmon", serviceVersion: version } }).pipe(
            Layer.provide([FetchHttpClient.layer, serialization])
          ),
          // Spans omit query parameters, as log lines do.
          Layer.succeed(UrlParams.CurrentRedactedNames, [/^/])
        )
    })
  )
)
