/** Credential files named by `NATS_URL`, and the errors for invalid ones. */
import * as fs from "node:fs/promises"
import { tmpdir } from "node:os"
import * as path from "node:path"
import { certificates } from "@kanmon/testkit/Certificates"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { parse } from "@kanmon/bus/NatsAddress"
import * as NatsCredentials from "@kanmon/bus/NatsCredentials"
import * as NatsKey from "@kanmon/bus/NatsKey"

const key = NatsKey.make()

const files = Effect.gen(function* () {
  const { good, root, strangeRoot } = yield* certificates
  const folder = yield* Effect.acquireRelease(
    Effect.promise(() => fs.mkdtemp(path.join(tmpdir(), "kanmon-nats-"))),
    (made) => Effect.promise(() => fs.rm(made, { recursive: true, force: true }))
  )
  const texts = {
    "me.nkey": `# the engine\n${key.seed}\n`,
    "cut.nkey": key.seed.slice(0, 30),
    "ca.pem": root,
    "cert.pem": good.cert,
    "key.pem": good.key,
    "other.pem": strangeRoot.key,
    "broken.pem": "-----BEGIN CERTIFICATE-----\ns3cret\n-----END CERTIFICATE-----\n"
  }
  yield* Effect.promise(() =>
    Promise.all(Object.entries(texts).map(([name, text]) => fs.writeFile(path.join(folder, name), text)))
  )
  return folder
})

const read = (parameters: string) =>
  Effect.gen(function* () {
    const folder = yield* files
    const text = parameters.replaceAll("@", `${folder}/`)
    return yield* Effect.flatMap(parse(Redacted.make(`nats://one?${text}`)), NatsCredentials.read)
  }).pipe(Effect.scoped)

describe("the files of NATS_URL", () => {
  it.effect("accepts a key, and derives the inbox from its public half", () =>
    Effect.gen(function* () {
      const { authenticator, inboxPrefix, tls } = yield* read("nkey=@me.nkey")
      assert.strictEqual(inboxPrefix, `_INBOX.${key.publicKey}`)
      assert.isUndefined(tls)
      assert.include(JSON.stringify(authenticator!("nonce")), key.publicKey)
    })
  )

  it.effect("accepts a key in place of its file, and describes it without the key", () =>
    Effect.gen(function* () {
      const address = yield* parse(Redacted.make(`nats://one?nkey=${key.seed}`))
      assert.strictEqual((yield* NatsCredentials.read(address)).inboxPrefix, `_INBOX.${key.publicKey}`)
      const described = yield* NatsCredentials.describe(address)
      assert.include(described, key.publicKey)
      assert.notInclude(described, key.seed)
    })
  )

  it.effect("accepts certificates", () =>
    Effect.gen(function* () {
      const { tls } = yield* read("tls_ca=@ca.pem&tls_cert=@cert.pem&tls_key=@key.pem")
      assert.sameMembers(Object.keys(tls!), ["ca", "cert", "key"])
    })
  )

  for (const [why, parameters, words] of [
    ["a key that is not there", "nkey=@gone.nkey", "NATS_URL: nkey: there is no file"],
    ["a folder", "nkey=@", "cannot be read"],
    ["a part of a key", `nkey=${key.seed.slice(0, 30)}`, "not whole"],
    [
      "a key with a letter exchanged",
      // Not the last one, of whose five bits two count for nothing.
      `nkey=${key.seed.slice(0, 30)}${key.seed[30] === "A" ? "B" : "A"}${key.seed.slice(31)}`,
      "not whole"
    ],
    ["a key that is cut off", "nkey=@cut.nkey", "starts with SU"],
    ["another file for a key", "nkey=@ca.pem", "starts with SU"],
    ["a seed for credentials", "creds=@me.nkey", "not a credentials file"],
    ["a key for a root", "tls_ca=@key.pem", "tls_ca: "],
    ["a broken root", "tls_ca=@broken.pem", "tls_ca: "],
    ["the key of another certificate", "tls_cert=@cert.pem&tls_key=@other.pem", "is not the key of the certificate"]
  ] as const) {
    it.effect(`refuses ${why}, without printing its content`, () =>
      Effect.map(Effect.flip(read(parameters)), ({ message }) => {
        assert.match(message, /^NATS_URL: .+$/)
        assert.include(message, words)
        assert.notInclude(message, "s3cret")
        assert.notInclude(message, key.seed.slice(0, 30))
      })
    )
  }
})
