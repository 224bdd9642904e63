/** Types of monitor and channel bodies. `npm run check:types` is the test; nothing is sent. */
import { assert, describe, expectTypeOf, it } from "vitest"
import type { ChannelRequest, ChannelUpdate } from "../src/ChannelBody.ts"
import type * as Client from "../src/Client.ts"
import type { Kanmon } from "../src/Kanmon.ts"
import type { MonitorRecord, MonitorRequest, MonitorUpdate } from "../src/MonitorBody.ts"

declare module "../src/MonitorBody.ts" {
  interface MonitorTypes {
    readonly "redis-ping": { readonly request: { readonly host: string; readonly port?: number } }
  }
}

declare module "../src/ChannelBody.ts" {
  interface ChannelTypes {
    readonly rocketchat: { readonly config: { readonly webhookUrl: string } }
  }
}

/** Takes its argument's type as it is written. */
const monitor = (body: MonitorRequest): MonitorRequest => body
const change = (body: MonitorUpdate): MonitorUpdate => body
const channel = (body: ChannelRequest): ChannelRequest => body
const channelChange = (body: ChannelUpdate): ChannelUpdate => body

const name = "Shop"
const url = "https://shop.example"

describe("the type of a new monitor", () => {
  it("takes the common fields and the type's own", () => {
    monitor({
      name,
      type: "http",
      url,
      interval: 60,
      timeout: "5s",
      regions: ["eu-west"],
      expectedStatus: [200, "204"]
    })
    monitor({ name, type: "http", url, jsonPath: "$.ok", jsonEquals: { ok: [true, null] }, headers: { accept: "*/*" } })
    monitor({ name, type: "tcp", host: "db.example", port: 5432 })
    monitor({ name, type: "heartbeat", metricRules: [{ metric: "rows", op: "<", value: 1 }] })
  })

  it("refuses a missing field, a misspelt one and one of a wrong type", () => {
    // @ts-expect-error: no url
    monitor({ name, type: "http" })
    // @ts-expect-error: no name
    monitor({ type: "http", url })
    // @ts-expect-error: a number
    monitor({ name, type: "http", url: 8080 })
    // @ts-expect-error: none of the methods
    monitor({ name, type: "http", url, method: "BREW" })
    // @ts-expect-error: misspelt
    monitor({ name, type: "http", url, intervall: 60 })
    // @ts-expect-error: another type's field
    monitor({ name, type: "tcp", host: "db.example", port: 5432, url })
    // @ts-expect-error: none of the operators
    monitor({ name, type: "heartbeat", metricRules: [{ metric: "rows", op: "!", value: 1 }] })
  })

  it("knows the types that are bundled and those that a program declares", () => {
    monitor({ name, type: "redis-ping", host: "cache.example" })
    // @ts-expect-error: no host
    monitor({ name, type: "redis-ping" })
    // @ts-expect-error: declared nowhere
    monitor({ name, type: "gopher", url })
  })
})

describe("the type of a change of a monitor", () => {
  it("takes any of the fields, and null for those with a default", () => {
    change({})
    change({ paused: true })
    change({ url, timeout: null, bodyContains: null })
  })

  it("refuses what no type has", () => {
    // @ts-expect-error: a number
    change({ name, url: 8080 })
    // @ts-expect-error: misspelt
    change({ intervall: 60 })
    // @ts-expect-error: a monitor has to have a name
    change({ name: null })
    // @ts-expect-error: another type's field
    change({ type: "tcp", url })
  })
})

describe("the type of a monitor's record", () => {
  it("tells the types apart", () => {
    const tell = (record: MonitorRecord) => {
      expectTypeOf(record.lastCheckedAt).toEqualTypeOf<string | null>()
      expectTypeOf(record.timeout).toEqualTypeOf<number>()
      // @ts-expect-error: not every type has it
      expectTypeOf(record.url).toBeString()
      if (record.type === "http") {
        expectTypeOf(record.url).toEqualTypeOf<string>()
        expectTypeOf(record.certificate?.validTo).toEqualTypeOf<string | null | undefined>()
      }
      if (record.type === "heartbeat") expectTypeOf(record.heartbeatUrl).toEqualTypeOf<string>()
      if (record.type === "redis-ping") expectTypeOf(record.port).toEqualTypeOf<number | undefined>()
    }
    assert.isFunction(tell)
  })
})

describe("the type of a channel", () => {
  it("takes the fields of its type in config", () => {
    channel({ name, type: "webhook", config: { url, method: "PUT", headers: { "x-team": "shop" } } })
    channel({ key: "ops", name, type: "sms", config: { phoneNumber: "+4915112345678" } })
    channel({ name, type: "rocketchat", config: { webhookUrl: url } })
    channelChange({ name })
    channelChange({ config: { method: null } })
  })

  it("refuses a missing field, one of a wrong type, and an unknown type", () => {
    // @ts-expect-error: no url
    channel({ name, type: "webhook", config: {} })
    // @ts-expect-error: no config
    channel({ name, type: "webhook" })
    // @ts-expect-error: a number
    channel({ name, type: "sms", config: { phoneNumber: 4915112345678 } })
    // @ts-expect-error: another type's field
    channel({ name, type: "sms", config: { phoneNumber: "+4915112345678", url } })
    // @ts-expect-error: declared nowhere
    channel({ name, type: "pigeon", config: {} })
    // @ts-expect-error: a number
    channelChange({ config: { url: 8080 } })
    // @ts-expect-error: a webhook has to have a url
    channelChange({ type: "webhook", config: { url: null } })
  })
})

describe("the types of both clients", () => {
  it("are these", () => {
    type Promises = Kanmon["monitors"]
    expectTypeOf<Parameters<Promises["create"]>[0]>().toEqualTypeOf<MonitorRequest>()
    expectTypeOf<Parameters<Promises["update"]>[1]>().toEqualTypeOf<MonitorUpdate>()
    expectTypeOf<Awaited<ReturnType<Promises["get"]>>>().toEqualTypeOf<MonitorRecord>()
    expectTypeOf<Parameters<Kanmon["checks"]["test"]>[0]>().toEqualTypeOf<MonitorRequest>()
    expectTypeOf<Parameters<Kanmon["notificationChannels"]["create"]>[0]>().toEqualTypeOf<ChannelRequest>()
    expectTypeOf<Parameters<Kanmon["notificationChannels"]["update"]>[1]>().toEqualTypeOf<ChannelUpdate>()
    expectTypeOf<Parameters<Kanmon["notificationChannels"]["compare"]>[1]>().toEqualTypeOf<ChannelUpdate>()
    type Effects = Client.Client["monitors"]
    expectTypeOf<Parameters<Effects["create"]>[0]["payload"]>().toEqualTypeOf<MonitorRequest>()
  })
})
