/** TLS to NATS as requested by `NATS_URL`, with helpful errors. */
import * as NatsBus from "@kanmon/bus/NatsBus"
import { EventBus } from "@kanmon/core/EventBus"
import { certificates } from "@kanmon/testkit/Certificates"
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import * as NatsServer from "../../support/NatsServer.ts"
import { RoledNats } from "../../support/RoledNats.ts"

const environment = Layer.unwrap(
  Effect.map(certificates, ({ good, root, strangeRoot, wrongName }) =>
    RoledNats.layer(
      ["eu-west"],
      ["--tls-cert", "@cert.pem", "--tls-key", "@key.pem", "--tls-ca", "@ca.pem", "--tls-clients"],
      {
        "cert.pem": good.cert,
        "key.pem": good.key,
        "ca.pem": root,
        "strange-ca.pem": strangeRoot.cert,
        "client.pem": wrongName.cert,
        "client-key.pem": wrongName.key
      }
    )
  )
)

const reach = (url: string) =>
  Effect.flatMap(EventBus, ({ healthy }) => healthy).pipe(
    Effect.provide(NatsBus.layer({ url: Redacted.make(url), description: "NATS for a test" })),
    Effect.scoped
  )

describe.skipIf(NatsServer.skipped)(`TLS to NATS${NatsServer.note}`, () => {
  layer(environment, { timeout: "60 seconds", excludeTestServices: true })((it) => {
    const url = Effect.map(RoledNats, ({ urlOf }) => {
      const printed = urlOf("api")
      const folder = /tls_ca=(.*)ca\.pem/.exec(printed)![1]!
      return printed.replace("CERT", `${folder}client.pem`).replace("KEY", `${folder}client-key.pem`)
    })

    it.effect("works with the right root and a client certificate", () =>
      Effect.gen(function* () {
        const right = yield* url
        assert.match(right, /^tls:/)
        assert.isTrue(yield* reach(right))
        // Certificates require TLS with any scheme.
        assert.isTrue(yield* reach(right.replace("tls:", "nats:")))
      })
    )

    for (const [why, change, words] of [
      [
        "another root",
        (right: string) => right.replace("/ca.pem", "/strange-ca.pem"),
        /tls_ca names the file of its root/
      ],
      ["no root", (right: string) => right.replace(/&tls_ca=[^&]*/, ""), /tls_ca names the file of its root/],
      ["no certificate of ours", (right: string) => right.replace(/&tls_cert=.*/, ""), /requires a client certificate/],
      [
        "a key that the server does not know",
        (right: string) => right.replace(/nkey=[^&]*&/, ""),
        /does not know this user/
      ]
    ] as const) {
      it.effect(`is refused with ${why}`, () =>
        Effect.gen(function* () {
          const error = yield* Effect.flip(reach(change(yield* url)))
          assert.match(error.message, words)
        })
      )
    }
  })
})
