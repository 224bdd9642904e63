/** Each reason is logged once, not for each message, and again when it continues. */
import { assert, it } from "@effect/vitest"
import { AuthorizationError, PermissionViolationError } from "@nats-io/nats-core"
import { Effect, Logger } from "effect"
import { TestClock } from "effect/testing"
import * as NatsConnection from "../src/NatsConnection.ts"

const refused = (what: string, subject: string) =>
  PermissionViolationError.parse(`Permissions Violation for ${what} to "${subject}"`)!

it.effect("logs each reason once, and again after ten minutes", () => {
  const lines: Array<string> = []
  const logger = Logger.make(({ message }) => void lines.push(String(message)))
  return Effect.gen(function* () {
    const received = yield* NatsConnection.logRefusals
    // One step of the logger for each line.
    const settle = Effect.repeat(TestClock.adjust("1 second"), { times: 10 })
    for (const monitor of ["mon_1", "mon_2"]) received(refused("Publish", `kanmon.checks.7.eu-west.prj_1.${monitor}`))
    received(new Error("another matter"))
    yield* settle
    assert.strictEqual(lines.length, 1)
    assert.match(lines[0]!, /^NATS_URL: .* publish to kanmon\.checks\.7\.eu-west\.prj_1\.mon_1\. .*kanmon nats config/)
    received(refused("Subscription", "kanmon.checks.7.eu-west.>"))
    for (const stream of ["KANMON_EVENTS", "KANMON_CHECKS"])
      received(refused("Publish", `$JS.API.STREAM.INFO.${stream}`))
    received(new AuthorizationError("Authorization Violation"))
    yield* settle
    assert.strictEqual(lines.length, 5)
    yield* TestClock.adjust("10 minutes")
    received(refused("Publish", "kanmon.checks.7.eu-west.prj_1.mon_3"))
    yield* settle
    assert.strictEqual(lines.length, 6)
  }).pipe(Effect.scoped, Effect.provide(Logger.layer([logger])))
})
