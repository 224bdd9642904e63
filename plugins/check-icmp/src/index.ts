/** Checks that a host answers ICMP echo requests, and how reliably and quickly. */
import * as Check from "@kanmon/core/Check"
import { Dialer } from "@kanmon/core/Dialer"
import { Hostname } from "@kanmon/core/Hostname"
import * as Plugin from "@kanmon/core/Plugin"
import { reason } from "@kanmon/domain/Reason"
import { Effect, Schema } from "effect"
import { exceeded, measure } from "./Measurement.ts"

const millis = Schema.Finite.check(
  Schema.isBetween({ minimum: 0.1, maximum: 60_000 }, { message: "Expected 0.1 to 60000 milliseconds" })
)

const config = Schema.Struct({
  host: Hostname.annotate({ description: "Host name or IP address" }),
  count: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 20 }, { message: "Expected 1 to 20" }))
    .annotate({ description: "Echo requests of one check. One is sent each second, so the timeout must be longer" })
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed(3))),
  packetSize: Schema.Int.check(
    Schema.isBetween({ minimum: 16, maximum: 1472 }, { message: "Expected 16 to 1472 bytes" })
  )
    .annotate({ description: "Bytes of payload of each request" })
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed(56))),
  maxPacketLoss: Schema.Finite.check(
    Schema.isBetween({ minimum: 0, maximum: 99.999 }, { message: "Expected a percentage from 0 to less than 100" })
  )
    .annotate({
      description:
        "Percent of lost packets above which the check counts as degraded. Without any reply it is down in any case"
    })
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed(0))),
  maxLatency: Schema.optionalKey(
    millis.annotate({ description: "Milliseconds of average latency above which the check counts as degraded" })
  ),
  maxJitter: Schema.optionalKey(
    millis.annotate({
      description:
        "Milliseconds of jitter, the mean difference between consecutive replies, above which the check counts as degraded"
    })
  )
})

const icmp = Check.define({
  type: "icmp",
  title: "ICMP",
  summary: "Sends ICMP echo requests to a host (ping).",
  config,
  example: { host: "example.org", count: 3, maxPacketLoss: 40 },
  defaults: { timeout: 10 },
  validate: ({ count, maxJitter }) =>
    maxJitter !== undefined && count < 2 ? [{ path: "count", message: "Expected at least 2 with maxJitter" }] : [],
  host: ({ host }) => host,
  target: ({ host }) => host,
  run: ({ count, host, packetSize, ...thresholds }, attempt) =>
    Effect.gen(function* () {
      const { ping } = yield* Dialer
      const replies = yield* Effect.mapError(
        ping({ host, count, size: packetSize, stage: attempt.stage }),
        ({ explanation, message, reason: code, timing }) => {
          const status = code === "egress_unavailable" || code === "ping_unavailable" ? "unknown" : "down"
          return new Check.CheckFailed({ status, code, message, explanation, timing })
        }
      )
      const { average, jitter, packetLoss } = measure(replies)
      const { address, received, sent, timing } = replies
      const facts = { address, packetsSent: sent, packetsReceived: received, packetLoss, jitter }
      if (average === null) {
        const words = reason("no_reply", { host, sent })
        return yield* new Check.CheckFailed({ status: "down", code: "no_reply", ...words, timing, facts })
      }
      const degraded = exceeded({ average, jitter, packetLoss }, thresholds)
      return { responseTime: average, timing, facts, ...(degraded === undefined ? {} : { degraded }) }
    })
})

export default Plugin.define({ name: "@kanmon/check-icmp", contract: 1, checks: [icmp] })
