/**
 * Keys that were made to take OpenSSL minutes are refused without being opened, in any form that hides their rounds.
 */
import { createCipheriv, createHash, createPrivateKey, generateKeyPairSync } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { BoundedEvaluator } from "@kanmon/core/BoundedEvaluator"
import { certificates } from "@kanmon/testkit/Certificates"
import * as Targets from "@kanmon/testkit/Targets"
import { Effect, Result } from "effect"
import * as fc from "fast-check"
import * as ClientKey from "../src/ClientKey.ts"
import * as Der from "../src/Der.ts"
import { attempt, check } from "./Attempt.ts"

/** How a length is written: DER has the first form alone. */
type Form = "shortest" | "long" | "padded" | "indefinite"
const forms: ReadonlyArray<Form> = ["long", "padded", "indefinite"]

const length = (size: number, form: Form): Buffer => {
  if (form === "indefinite") return Buffer.from([0x80])
  if (form === "padded") return Buffer.from([0x84, 0, 0, size >> 8, size & 0xff])
  if (size < 0x80 && form === "shortest") return Buffer.from([size])
  return size < 0x100 ? Buffer.from([0x81, size]) : Buffer.from([0x82, size >> 8, size & 0xff])
}

const element = (tag: number, content: Buffer, form: Form = "shortest"): Buffer =>
  Buffer.concat([
    Buffer.from([tag]),
    length(content.length, form),
    content,
    form === "indefinite" ? Buffer.alloc(2) : Buffer.alloc(0)
  ])
const sequence = (form: Form, ...parts: ReadonlyArray<Buffer>) => element(0x30, Buffer.concat(parts), form)
const oid = (hex: string) => element(0x06, Buffer.from(hex, "hex"))

/** 2³¹−1 rounds: hours. */
const endless = "7fffffff"

/** An EncryptedPrivateKeyInfo with PBES2 and PBKDF2, and one sequence that has its length in another form. */
const encrypted = (rounds: string, form: Form = "shortest", at = -1): Buffer => {
  const formOf = (index: number): Form => (index === at ? form : "shortest")
  const derivation = sequence(
    formOf(3),
    oid("2a864886f70d01050c"),
    sequence(formOf(4), element(0x04, Buffer.alloc(8)), element(0x02, Buffer.from(rounds, "hex")))
  )
  const cipher = sequence("shortest", oid("60864801650304012a"), element(0x04, Buffer.alloc(16)))
  const scheme = sequence(formOf(1), oid("2a864886f70d01050d"), sequence(formOf(2), derivation, cipher))
  return sequence(formOf(0), scheme, element(0x04, Buffer.alloc(48)))
}

const pem = (label: string, bytes: Buffer, headers = ""): string =>
  `-----BEGIN ${label}-----\n${headers}${bytes
    .toString("base64")
    .match(/.{1,64}/g)!
    .join("\n")}\n-----END ${label}-----\n`

/** The encryption of RFC 1421, as OpenSSL derives its key. */
const wrapped = (label: string, content: Buffer, passphrase: string): string => {
  const iv = Buffer.alloc(16, 7)
  let key = Buffer.alloc(0)
  for (let block = Buffer.alloc(0); key.length < 32; key = Buffer.concat([key, block]))
    block = createHash("md5")
      .update(Buffer.concat([block, Buffer.from(passphrase), iv.subarray(0, 8)]))
      .digest()
  const cipher = createCipheriv("aes-256-cbc", key.subarray(0, 32), iv)
  const headers = `Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,${iv.toString("hex").toUpperCase()}\n\n`
  return pem(label, Buffer.concat([cipher.update(content), cipher.final()]), headers)
}

const hostile: ReadonlyArray<readonly [string, string]> = [
  ["plain", pem("ENCRYPTED PRIVATE KEY", encrypted(endless))],
  ...forms.flatMap((form) =>
    [0, 1, 2, 3, 4].map(
      (at) => [`${form} length ${at}`, pem("ENCRYPTED PRIVATE KEY", encrypted(endless, form, at))] as const
    )
  ),
  ["bytes after it", pem("ENCRYPTED PRIVATE KEY", Buffer.concat([encrypted("0800"), encrypted(endless)]))],
  ["a padded number", pem("ENCRYPTED PRIVATE KEY", encrypted(`00${endless}`))],
  ["a number of many bytes", pem("ENCRYPTED PRIVATE KEY", encrypted(`01${"00".repeat(9)}`))],
  ...["PRIVATE KEY", "ENCRYPTED PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY"].map(
    (label) => [`RFC 1421 as ${label}`, wrapped(label, encrypted(endless), "open")] as const
  ),
  ["an unencrypted label", pem("PRIVATE KEY", encrypted(endless))],
  ["two keys", pem("ENCRYPTED PRIVATE KEY", encrypted("0800")) + pem("ENCRYPTED PRIVATE KEY", encrypted(endless))]
]

describe("a client key that takes hours to open", () => {
  it.effect.each(hostile)("is refused: %s", ([, clientKey]) =>
    Effect.gen(function* () {
      const { good } = yield* certificates
      const found = check.normalize({
        url: "https://shop.example/",
        clientCertificate: good.cert,
        clientKey,
        clientKeyPassphrase: "open"
      })
      const paths = Result.isFailure(found) ? found.failure.errors.map(({ path }) => path) : []
      assert.lengthOf(paths, 1)
      assert.match(paths[0]!, /^clientKey/)
    })
  )

  it.live("fails the check of a monitor that was stored with one, in a process of its own", () =>
    Effect.gen(function* () {
      const { good } = yield* certificates
      const target = yield* Targets.http(Targets.answer({}), good)
      for (const [, clientKey] of hostile.slice(0, 3)) {
        const found = yield* attempt(target.port, {
          url: `${target.url}/`,
          verifyTls: false,
          clientCertificate: good.cert,
          clientKey,
          clientKeyPassphrase: "open"
        })
        assert.strictEqual(found.failure?.code, "client_certificate_unusable")
      }
      assert.isEmpty(target.requests)
    }).pipe(Effect.scoped)
  )
})

describe("the rounds of an encrypted key", () => {
  it("are read from what DER allows alone", () => {
    fc.assert(
      fc.property(fc.integer({ min: 128, max: 2 ** 31 - 1 }), (rounds) => {
        const hex = rounds
          .toString(16)
          .padStart(8, "0")
          .replace(/^(?:00)+(?=[0-7].)/, "")
        const shortest = /^00[0-7]/.test(hex) ? hex.slice(2) : hex
        const bytes = encrypted(shortest)
        assert.strictEqual(ClientKey.roundsOf(bytes), rounds)
        for (const form of forms)
          for (const at of [0, 1, 2, 3, 4]) {
            const other = encrypted(shortest, form, at)
            if (!other.equals(bytes)) assert.isUndefined(ClientKey.roundsOf(other))
          }
        assert.isUndefined(ClientKey.roundsOf(Buffer.concat([bytes, Buffer.alloc(1)])))
      })
    )
  })

  it("are never read from other bytes by accident, nor is there an exception", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(90), (noise, at) => {
        ClientKey.roundsOf(Buffer.from(noise))
        const spoiled = Buffer.from(encrypted("0800"))
        spoiled[at % spoiled.length] = noise[0] ?? 0
        ClientKey.roundsOf(spoiled)
      })
    )
  })

  it("are told from elements with lengths in the shortest form", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (noise) => {
        const content = Buffer.from(noise)
        assert.deepStrictEqual(Der.elements(element(0x04, content)), [{ tag: 0x04, content }])
        for (const form of forms) {
          const other = element(0x04, content, form)
          if (!other.equals(element(0x04, content))) assert.throws(() => Der.elements(other))
        }
      })
    )
  })
})

describe("a usual client key", () => {
  const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey
  const ec = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey
  const own = { cipher: "aes-128-cbc", passphrase: "open", format: "pem" } as const

  it.effect.each([
    ["PKCS #8", rsa.export({ type: "pkcs8", format: "pem" })],
    ["PKCS #8, encrypted", rsa.export({ type: "pkcs8", ...own })],
    ["PKCS #8, encrypted with triple DES", ec.export({ type: "pkcs8", ...own, cipher: "des-ede3-cbc" })],
    ["PKCS #1", rsa.export({ type: "pkcs1", format: "pem" })],
    ["PKCS #1, encrypted (RFC 1421)", rsa.export({ type: "pkcs1", ...own })],
    ["SEC 1", ec.export({ type: "sec1", format: "pem" })],
    ["SEC 1, encrypted (RFC 1421)", ec.export({ type: "sec1", ...own, cipher: "aes-256-cbc" })],
    [
      "after the name of its curve",
      pem("EC PARAMETERS", oid("2a8648ce3d030107")) + String(ec.export({ type: "sec1", format: "pem" }))
    ],
    ["with the line ends of Windows", String(ec.export({ type: "pkcs8", format: "pem" })).replaceAll("\n", "\r\n")]
  ])("is opened: %s", ([, key]) =>
    Effect.gen(function* () {
      const { good } = yield* certificates
      const evaluator = yield* BoundedEvaluator
      const found = yield* evaluator.evaluate({
        module: ClientKey.url,
        function: ClientKey.open,
        settings: { cert: good.cert, key: String(key), passphrase: "open" },
        input: null
      })
      // It is no key of this certificate, which is told after it was opened.
      assert.deepInclude(found, { _tag: "Problem", message: "The key does not belong to the certificate" })
    }).pipe(Effect.provide(BoundedEvaluator.layer))
  )

  it.effect("comes back without its encryption", () =>
    Effect.gen(function* () {
      const { good } = yield* certificates
      const secret = createPrivateKey(good.key)
      const found = ClientKey.open({
        cert: good.cert,
        key: String(secret.export({ type: "pkcs8", ...own })),
        passphrase: "open"
      })
      if (found._tag === "Problem") return assert.fail(found.message)
      assert.isTrue(createPrivateKey(found.key).equals(secret))
      assert.strictEqual(found.cert.match(/BEGIN CERTIFICATE/g)?.length, good.cert.match(/BEGIN CERTIFICATE/g)?.length)
    })
  )

  it.effect("is refused when it is of a kind that is slow or that servers do not take", () =>
    Effect.gen(function* () {
      const { good } = yield* certificates
      const kinds = [
        generateKeyPairSync("dsa", { modulusLength: 1024, divisorLength: 160 }).privateKey,
        generateKeyPairSync("ec", { namedCurve: "secp256k1" }).privateKey,
        generateKeyPairSync("x25519").privateKey
      ]
      const found = kinds.map((key) =>
        ClientKey.open({ cert: good.cert, key: String(key.export({ type: "pkcs8", format: "pem" })) })
      )
      for (const one of found) assert.deepInclude(one, { _tag: "Problem", path: "clientKey" })
      for (const one of found) assert.match(one._tag === "Problem" ? one.message : "", /^Expected an elliptic curve/)
    })
  )

  it.effect("is refused with a chain of more certificates than a server needs", () =>
    Effect.gen(function* () {
      const { good, strangeRoot } = yield* certificates
      const found = ClientKey.open({ cert: good.cert + "\n" + strangeRoot.cert.repeat(6), key: good.key })
      assert.deepInclude(found, { _tag: "Problem", path: "clientCertificate" })
    })
  )
})
