/** How `NATS_URL` is read, and that its errors keep its secrets. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { parse } from "../src/NatsAddress.ts"

const read = (url: string) =>
  Effect.map(parse(Redacted.make(url)), (it) => ({ ...it, login: Redacted.value(it.login) }))

describe("NATS_URL", () => {
  for (const [url, expected] of [
    ["nats://one:4222", { servers: ["one:4222"], tls: false, login: undefined }],
    ["one", { servers: ["one"], tls: false, login: undefined }],
    ["nats://[::1]:4222/", { servers: ["[::1]:4222"], tls: false, login: undefined }],
    ["nats://one, two:4223", { servers: ["one", "two:4223"], tls: false, login: undefined }],
    ["TLS://one:4222", { servers: ["one:4222"], tls: true, login: undefined }],
    ["nats://to%2Fken%40@one", { servers: ["one"], tls: false, login: { token: "to/ken@" } }],
    ["nats://me:@one", { servers: ["one"], tls: false, login: { user: "me", pass: "" } }],
    ["me:a%2Cb@one", { servers: ["one"], tls: false, login: { user: "me", pass: "a,b" } }],
    ["tls://me:pw@one,tls://me:pw@two", { servers: ["one", "two"], tls: true, login: { user: "me", pass: "pw" } }]
  ] as const) {
    it.effect(`reads ${url}`, () =>
      Effect.map(read(url), (address) => assert.deepStrictEqual<unknown>(address, expected))
    )
  }

  for (const [why, url, words] of [
    ["nothing", "", "expected host:port"],
    ["another scheme", "http://me:s3cret@one", "expected nats:// or tls://"],
    ["a port out of range", "nats://me:s3cret@one:70000", "expected host:port"],
    ["something behind the host", "nats://me:s3cret@one/path", "expected host:port"],
    ["a comma within the password", "nats://me:s3cret,s3cret@one", "expected host:port"],
    ["a broken escape", "nats://me:s3cret%@one", "not an escape"],
    ["two users", "nats://me:s3cret@one,nats://you:s3cret@two", "the same user"],
    ["credentials for one server only", "nats://s3cret@one,nats://two", "the same user"],
    ["TLS for one server only", "tls://one,nats://two", "either every server"]
  ] as const) {
    it.effect(`refuses ${why}, in one line and without quoting it`, () =>
      Effect.map(Effect.flip(read(url)), ({ message }) => {
        assert.match(message, /^NATS_URL: .+$/)
        assert.include(message, words)
        assert.notInclude(message, "s3cret")
      })
    )
  }
})
