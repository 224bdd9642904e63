/** Traces, metrics and logs to an OTLP collector, when one is configured. Prometheus reads `GET /metrics` either way. */
import { Effect, Layer, Option } from "effect"
import { FetchHttpClient } from "effect/http"
import { Otlp } from "effect/observability"
import { Settings } from "./Settings.ts"
import { version } from "./version.ts"

export const layer: Layer.Layer<never, never, Settings> = Layer.unwrap(
  Effect.map(Settings, (settings) =>
    Option.match(settings.otlpEndpoint, {
      onNone: () => Layer.empty,
      onSome: (baseUrl) =>
        Otlp.layerJson({ baseUrl, resource: { serviceName: "kanmon", serviceVersion: version } }).pipe(
          Layer.provide(FetchHttpClient.layer)
        )
    })
  )
)
