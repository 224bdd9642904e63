/** JSON that earlier releases stored: every sample in `fixtures/persisted` stays readable. */
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { storedNotice } from "../src/alerts/AlertRecords.ts"
import { storedAttempt } from "../src/alerts/DeliveryRecords.ts"
import { storedChange } from "../src/audit/AuditRepository.ts"
import { storedOffer } from "../src/billing/PlanRepository.ts"
import { storedLastDelivery } from "../src/channels/ChannelRecords.ts"
import { storedCapture } from "../src/evaluation/StoredCapture.ts"
import { storedState } from "../src/evaluation/StoredState.ts"
import { storedHeartbeat } from "../src/heartbeats/HeartbeatRepository.ts"
import { persistedUser } from "../src/sso/ScimUserRepository.ts"

interface Shape {
  readonly version: number
  /** Decodes a sample and stores it again. */
  readonly restore: (json: unknown) => object
}

const shapeOf = <Value>(stored: {
  readonly version: number
  readonly decode: (json: unknown) => Value
  readonly encode: (value: Value) => object
}): Shape => ({ version: stored.version, restore: (json) => stored.encode(stored.decode(json)) })

const shapes: Readonly<Record<string, Shape>> = {
  "audit-change": shapeOf(storedChange),
  capture: shapeOf(storedCapture),
  "delivery-attempt": shapeOf(storedAttempt),
  "heartbeat-state": shapeOf(storedHeartbeat),
  "last-delivery": shapeOf(storedLastDelivery),
  "monitor-state": shapeOf(storedState),
  notice: shapeOf(storedNotice),
  "plan-offer": shapeOf(storedOffer),
  "scim-user": shapeOf(persistedUser)
}

const folder = path.join(import.meta.dirname, "fixtures/persisted")

describe("persisted JSON", () => {
  for (const file of fs.readdirSync(folder)) {
    it(`is readable: ${file}`, () => {
      const [, name = "", version = ""] = /^(.+)-v(\d+)\.json$/.exec(file) ?? []
      const shape = shapes[name]
      assert.isDefined(shape, `no shape is called ${name}`)
      const samples: Readonly<Record<string, unknown>> = JSON.parse(fs.readFileSync(path.join(folder, file), "utf8"))
      for (const [what, sample] of Object.entries(samples)) {
        const restored = shape!.restore(sample)
        // A value of the current version is stored again as it was read.
        if (Number(version) === shape!.version) assert.deepStrictEqual({ ...restored }, sample, what)
      }
    })
  }

  it("has samples of every version", () => {
    const files = new Set(fs.readdirSync(folder))
    for (const [name, { version }] of Object.entries(shapes)) {
      for (let each = 1; each <= version; each++) assert.isTrue(files.has(`${name}-v${each}.json`), `${name} ${each}`)
    }
  })
})
