/** The settings of the HTTP API for what reads some of them, without a server. */
import { unlimited } from "@kanmon/domain/OrganizationQuotas"
import { ApiSettings } from "@kanmon/platform/http/ApiSettings"
import { Effect, Layer } from "effect"

/** The given settings, and for the others values of an installation without quotas. */
export const settings = (given: Partial<ApiSettings["Service"]>): Layer.Layer<ApiSettings> =>
  Layer.succeed(
    ApiSettings,
    ApiSettings.of({
      baseUrl: "http://kanmon.example",
      version: "0.0.0-test",
      trustedProxy: false,
      limits: { reads: 1, writes: 1, signIns: 1, signals: 1 },
      quotas: unlimited,
      retentionDays: 90,
      knownRegions: Effect.succeed([]),
      ...given
    })
  )
