import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { parse } from "../src/NatsAddress.ts"

const read = (url: string) =>
  Effect.map(parse(Redacted.make(url)), (it) => ({ ...it, login: Redacted.value(it.login) }))

describe("NATS_URL", () => {
  for (const [url, expected] of [
    ["nats://one:4222", { servers: ["one:4222"], tls: false, login: undefined, files: {} }],
    ["one", { servers: ["one"], tls: false, login: undefined, files: {} }],
    ["nats://[::1]:4222/", { servers: ["[::1]:4222"], tls: false, login: undefined, files: {} }],
    ["nats://one, two:4223", { servers: ["one", "two:4223"], tls: false, login: undefined, files: {} }],
    ["TLS://one:4222", { servers: ["one:4222"], tls: true, login: undefined, files: {} }],
    ["nats://to%2Fken%40@one", { servers: ["one"], tls: false, login: { token: "to/ken@" }, files: {} }],
    ["nats://me:@one", { servers: ["one"], tls: false, login: { user: "me", pass: "" }, files: {} }],
    ["me:a%2Cb@one", { servers: ["one"], tls: false, login: { user: "me", pass: "a,b" }, files: {} }],
    [
      "tls://me:pw@one,tls://me:pw@two",
      { servers: ["one", "two"], tls: true, login: { user: "me", pass: "pw" }, files: {} }
    ],
    [
      "nats://one,nats://two:4223?nkey=/etc/my%20keys/engine.nkey",
      { servers: ["one", "two:4223"], tls: false, login: undefined, files: { nkey: "/etc/my keys/engine.nkey" } }
    ],
    [
      "nats://one/?creds=./me.creds&tls_ca=ca.pem",
      { servers: ["one"], tls: true, login: undefined, files: { creds: "./me.creds", tls_ca: "ca.pem" } }
    ],
    [
      "nats://me:pw@one?tls_cert=a%26b&tls_key=k=1",
      {
        servers: ["one"],
        tls: true,
        login: { user: "me", pass: "pw" },
        files: { tls_cert: "a&b", tls_key: "k=1" }
      }
    ]
  ] as const) {
    it.effect(`reads ${url}`, () =>
      Effect.map(read(url), (address) => assert.deepStrictEqual<unknown>(address, expected))
    )
  }

  for (const [why, url, words] of [
    ["nothing", "", "expected host:port"],
    ["another scheme", "http://me:s3cret@one", "expected nats:// or tls://"],
    ["a port out of range", "nats://me:s3cret@one:70000", "expected host:port"],
    ["a path after the host", "nats://me:s3cret@one/path", "expected host:port"],
    ["a comma within the password", "nats://me:s3cret,s3cret@one", "expected host:port"],
    ["a broken escape", "nats://me:s3cret%@one", "not an escape"],
    ["two users", "nats://me:s3cret@one,nats://you:s3cret@two", "the same user"],
    ["credentials for one server only", "nats://s3cret@one,nats://two", "the same user"],
    ["TLS for one server only", "tls://one,nats://two", "either every server"],
    ["a ? within the password", "nats://me:pw?s3cret@one", "%3F"],
    ["an unknown parameter", "nats://one?s3cret=x", "nkey=, creds="],
    ["an empty parameter", "nats://one?nkey=", "nkey needs the path"],
    ["a broken escape in a path", "nats://one?nkey=/s3cret%", "nkey contains a %"],
    ["a parameter twice", "nats://one?nkey=/a&nkey=/s3cret", "nkey occurs twice"],
    ["two ways to log in", "nats://s3cret@one?nkey=/a", "use only one login"],
    ["a certificate without its key", "nats://one?tls_cert=/s3cret", "must be set together"]
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
