import { eventually } from "@kanmon/testkit/Eventually"
import { connect } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Dialer } from "@kanmon/core/Dialer"
import * as NodeDialer from "@kanmon/core/NodeDialer"
import * as NodeResolver from "@kanmon/core/NodeResolver"
import type { Notice } from "@kanmon/core/Notice"
import * as Certificates from "@kanmon/testkit/Certificates"
import * as ChannelContract from "@kanmon/testkit/ChannelContract"
import { notices } from "@kanmon/testkit/SampleNotices"
import * as Targets from "@kanmon/testkit/Targets"
import { Effect, Fiber, Layer, Result } from "effect"
import plugin from "../src/index.ts"
import * as MailWorld from "./MailWorld.ts"

const channel = plugin.channels[0]!

ChannelContract.suite(channel, MailWorld.world, { golden: new URL("./golden", import.meta.url) })

const policy = { allowPrivate: true }
const network = NodeDialer.layer(policy).pipe(Layer.provideMerge(NodeResolver.layer(policy)))

const deliver = (settings: object | undefined, notice: Notice = notices.down) =>
  Result.getOrThrow(channel.start({ address: MailWorld.address }, settings)).pipe(
    Effect.flatMap((started) => started.deliver(notice)),
    Effect.scoped,
    Effect.provide(network)
  )

const until = (holds: () => boolean) => eventually(Effect.sync(holds), (is) => is)

const failing = (options: MailWorld.MailOptions) =>
  Effect.gen(function* () {
    const there = yield* MailWorld.start(options)
    const { message, reason } = yield* Effect.flip(deliver(there.settings))
    return { there, message, tag: reason._tag }
  })

describe("a mail server's responses", () => {
  it.live("are final from 500 on, and retryable below", () =>
    Effect.gen(function* () {
      for (const [code, tag] of [
        [421, "Unreachable"],
        [450, "Unreachable"],
        [452, "Unreachable"],
        [550, "Rejected"],
        [552, "Rejected"],
        [554, "Rejected"]
      ] as const) {
        const failed = yield* failing({ answer: { code, text: "as the test wants" } })
        assert.strictEqual(failed.tag, tag, String(code))
        assert.include(failed.message, `The mail server answered: ${code} as the test wants`)
      }
    })
  )

  it.live("are final about credentials, and do not quote them", () =>
    Effect.gen(function* () {
      const { message, tag, there } = yield* failing({ password: "wrong-password" })
      assert.strictEqual(tag, "Rejected")
      assert.include(message, "535")
      assert.include(message, "SMTP_URL")
      assert.notInclude(message, "wrong-password")
      assert.strictEqual(there.mails().length, 0)
    })
  )

  it.live("are quoted without the login, even where they are truncated", () =>
    Effect.gen(function* () {
      const failed = yield* failing({ answer: { code: 550, text: `${"x".repeat(270)} ${MailWorld.password}` } })
      assert.notInclude(failed.message, "p@ss")
      const login = Buffer.from(`\0kanmon\0${MailWorld.password}`).toString("base64")
      const quoted = yield* failing({ answer: { code: 550, text: `you said AUTH PLAIN ${login}` } })
      assert.notInclude(quoted.message, login)
      assert.include(quoted.message, "you said AUTH PLAIN")
    })
  )

  it.live("provide the receipt's detail and reference", () =>
    Effect.gen(function* () {
      const there = yield* MailWorld.start()
      const receipt = yield* deliver(there.settings)
      assert.include(receipt.detail, "queued as A1")
      assert.strictEqual(receipt.reference, there.mails()[0]!.parsed.messageId)
    })
  )
})

describe("the e-mails of one alert", () => {
  it.live("are a thread of replies to the opening, with subjects that begin with the state", () =>
    Effect.gen(function* () {
      const there = yield* MailWorld.start()
      yield* deliver(there.settings, notices.down)
      yield* deliver(there.settings, notices.up)
      const [down, up] = there.mails().map(({ parsed }) => parsed)
      assert.deepStrictEqual([down!.subject, up!.subject], ["Down: shop api", "Up: shop api"])
      assert.strictEqual(up!.inReplyTo, down!.messageId)
      assert.strictEqual(up!.references, down!.messageId)
      assert.notStrictEqual(up!.messageId, down!.messageId)
      assert.match(down!.messageId!, /^<alr_[0-9a-z]+\.down\.[0-9a-f]{16}@kanmon\.example\.test>$/)
    })
  )
})

describe("the e-mails of one notice", () => {
  it.live("have ids of their own for each recipient, the same in every attempt", () =>
    Effect.gen(function* () {
      const there = yield* MailWorld.start()
      const to = (address: string) =>
        Result.getOrThrow(channel.start({ address }, there.settings)).pipe(
          Effect.flatMap((started) => started.deliver(notices.down)),
          Effect.scoped,
          Effect.provide(network)
        )
      for (const address of ["ada@example.test", "ben@example.test", "Ada@Example.test"]) yield* to(address)
      const [ada, ben, again] = there.mails().map(({ parsed }) => parsed.messageId)
      assert.notStrictEqual(ada, ben)
      assert.strictEqual(ada, again)
    })
  )
})

describe("the addresses of a channel", () => {
  const pathsOf = (config: unknown) =>
    Result.match(channel.normalize(config), {
      onFailure: ({ errors }) => errors.map(({ path }) => path),
      onSuccess: () => []
    })
  const numbered = (count: number) => Array.from({ length: count }, (_, index) => `person${index}@example.test`)

  it("are at most twenty, each once", () => {
    const address = "ops@example.test"
    assert.deepStrictEqual(pathsOf({ address, additionalAddresses: numbered(19) }), [])
    assert.deepStrictEqual(pathsOf({ address, additionalAddresses: numbered(20) }), ["additionalAddresses"])
    assert.deepStrictEqual(pathsOf({ address, additionalAddresses: ["a@example.test", "OPS@example.test"] }), [
      "additionalAddresses[1]"
    ])
    assert.deepStrictEqual(pathsOf({ address, additionalAddresses: ["no address"] }), ["additionalAddresses[0]"])
  })

  it("are read from what was stored with one", () => {
    assert.deepStrictEqual(Result.getOrThrow(channel.normalize({ address: "ops@example.test" })), {
      address: "ops@example.test"
    })
  })
})

describe("TLS to the mail server", () => {
  it.live("is verified, implicit and after STARTTLS: no login is sent to an untrusted server", () =>
    Effect.gen(function* () {
      const { cert, key } = (yield* Certificates.certificates).strangeRoot
      for (const options of [
        { scheme: "smtps", server: { secure: true, cert, key } },
        { scheme: "smtp", server: { disabledCommands: [], cert, key, allowInsecureAuth: false } }
      ] as const) {
        let logins = 0
        const server = { ...options.server, onAuth: () => void logins++, disabledCommands: [] }
        const { message, tag, there } = yield* failing({ ...options, server })
        assert.strictEqual(tag, "Unreachable", message)
        assert.match(message, /certificate/)
        assert.strictEqual(logins + there.mails().length, 0)
      }
    })
  )

  it.live("continues when the operator disables verification", () =>
    Effect.gen(function* () {
      const { cert, key } = (yield* Certificates.certificates).strangeRoot
      for (const options of [
        { scheme: "smtps", server: { secure: true, cert, key } },
        { scheme: "smtp", server: { disabledCommands: [], cert, key, allowInsecureAuth: false } }
      ] as const) {
        const server = { ...options.server, disabledCommands: [] }
        const there = yield* MailWorld.start({ ...options, server, query: "?tls.rejectUnauthorized=false" })
        yield* deliver(there.settings)
        assert.deepStrictEqual(there.complaints(), [])
        assert.strictEqual(there.mails().length, 1)
      }
    })
  )

  it.live("is aborted in the middle of its handshake", () =>
    Effect.gen(function* () {
      for (const scheme of ["smtp", "smtps"]) {
        let handshakes = 0
        const there = yield* Targets.tcp((socket) => {
          if (scheme === "smtp") socket.write("220 mail.example.test ESMTP\r\n")
          socket.on("data", (chunk) => {
            const command = chunk.toString("latin1")
            if (command.startsWith("EHLO")) socket.write("250-mail.example.test\r\n250 STARTTLS\r\n")
            else if (command.startsWith("STARTTLS")) socket.write("220 2.0.0 Go on\r\n")
            else handshakes++
          })
        })
        const settings = { SMTP_URL: `${scheme}://127.0.0.1:${there.port}`, SMTP_FROM: "alerts@example.test" }
        const attempt = yield* Effect.forkChild(deliver(settings))
        yield* until(() => handshakes > 0)
        yield* Fiber.interrupt(attempt)
        yield* until(() => there.open() === 0)
      }
    })
  )

  it.live("is required when the operator says so", () =>
    Effect.gen(function* () {
      const { message, there } = yield* failing({ query: "?requireTLS=true" })
      assert.strictEqual(there.mails().length, 0, message)
    })
  )
})

describe("a login", () => {
  const login = Buffer.from(`\0kanmon\0${MailWorld.password}`).toString("base64")

  /** A network in which every name is this machine, and the plaintext sent to it. */
  const elsewhere = (written: Array<string>) =>
    Layer.effect(
      Dialer,
      Effect.map(Dialer, (dialer) =>
        Dialer.of({
          ping: dialer.ping,
          dial: (target) =>
            Effect.tap(dialer.dial({ ...target, host: "127.0.0.1" }), ({ socket }) =>
              Effect.sync(() => {
                const write = socket.write.bind(socket)
                socket.write = ((chunk: Buffer | string, ...rest: ReadonlyArray<never>) => (
                  written.push(chunk.toString()),
                  write(chunk, ...rest)
                )) as typeof socket.write
              })
            )
        })
      )
    ).pipe(Layer.provide(network))
  const away = (there: MailWorld.MailDestination, query = "") =>
    Effect.gen(function* () {
      const written: Array<string> = []
      const SMTP_URL = `${there.settings.SMTP_URL.replace("127.0.0.1", "mail.example.test")}${query}`
      const result = yield* Result.getOrThrow(
        channel.start({ address: MailWorld.address }, { ...there.settings, SMTP_URL })
      ).pipe(
        Effect.flatMap((started) => Effect.result(started.deliver(notices.down))),
        Effect.scoped,
        Effect.provide(elsewhere(written))
      )
      return { result, written: written.join("") }
    })

  it.live("is not sent to a server without TLS, and neither is the e-mail", () =>
    Effect.gen(function* () {
      const there = yield* MailWorld.start()
      const { result, written } = yield* away(there)
      if (Result.isSuccess(result)) return assert.fail("The mail was sent")
      // The operator can fix it, and an attacker who strips STARTTLS cannot drop the notification for good.
      assert.strictEqual(result.failure.reason._tag, "Unreachable")
      assert.match(
        result.failure.message,
        /^mail\.example\.test:\d+ does not offer TLS \(STARTTLS\).*SMTP_URL.*login.*requireTLS=false/
      )
      assert.notMatch(written, /AUTH|MAIL FROM/)
      assert.notInclude(written, login)
      assert.strictEqual(there.mails().length, 0)
    })
  )

  it.live("is sent without TLS where the operator allows it, or to this machine", () =>
    Effect.gen(function* () {
      const there = yield* MailWorld.start()
      for (const query of ["?requireTLS=false", "?ignoreTLS=true", "?opportunisticTLS=true"]) {
        const { result, written } = yield* away(there, query)
        assert.isTrue(Result.isSuccess(result), query)
        assert.include(written, login)
      }
      yield* deliver(there.settings)
      assert.strictEqual(there.mails().length, 4)
    })
  )

  it.live("uses the encrypted session only: injected plaintext is ignored", () =>
    Effect.gen(function* () {
      const { cert, key } = (yield* Certificates.certificates).strangeRoot
      const there = yield* MailWorld.start({ server: { cert, key, disabledCommands: [], allowInsecureAuth: false } })
      // Injects a response after the one to STARTTLS, as if the server had already greeted the encrypted session.
      const between = yield* Targets.tcp((near) => {
        const far = connect(there.port, "127.0.0.1")
        let asked = false
        near.on("data", (chunk) => {
          asked ||= chunk.toString("latin1").startsWith("STARTTLS")
          far.write(chunk)
        })
        far.on("data", (chunk) => {
          const granted = asked && chunk.toString("latin1").startsWith("220")
          near.write(granted ? Buffer.concat([chunk, Buffer.from("250-evil\r\n250 SMTPUTF8\r\n")]) : chunk)
        })
        near.on("close", () => far.destroy())
        far.on("close", () => near.destroy())
        far.on("error", () => near.destroy())
      })
      const url = new URL(there.settings.SMTP_URL)
      url.port = String(between.port)
      const settings = { ...there.settings, SMTP_URL: `${url.href}?tls.rejectUnauthorized=false` }
      const { result, written } = yield* away({ ...there, settings })
      assert.isTrue(Result.isSuccess(result))
      assert.strictEqual(there.mails().length, 1)
      assert.notInclude(written, login)
    })
  )
})

describe("a server without mail settings", () => {
  it.live("names the missing settings", () =>
    Effect.gen(function* () {
      for (const settings of [undefined, { SMTP_URL: "smtp://127.0.0.1:9" }, { SMTP_FROM: "alerts@example.test" }]) {
        const { message, reason } = yield* Effect.flip(deliver(settings))
        assert.strictEqual(reason._tag, "Rejected")
        assert.strictEqual(
          message,
          "E-mail is not configured on this server: the operator has to set SMTP_URL and SMTP_FROM"
        )
      }
    })
  )

  it.live("names the unreachable mail server, but not its password", () =>
    Effect.gen(function* () {
      const { message, reason } = yield* Effect.flip(
        deliver({ SMTP_URL: "smtp://user:a-password@127.0.0.1:1", SMTP_FROM: "alerts@example.test" })
      )
      assert.strictEqual(reason._tag, "Unreachable")
      assert.include(message, "127.0.0.1:1")
      assert.notInclude(message, "a-password")
    })
  )
})

describe("addresses", () => {
  const refused = (config: unknown, settings?: unknown) => Result.isFailure(channel.start(config, settings))

  it("are one addr-spec each", () => {
    for (const address of [
      "",
      "ops",
      "@example.test",
      "ops@",
      "ops@localhost",
      "ops@example..test",
      "ops@-example.test",
      "ops@192.0.2.1",
      ".ops@example.test",
      "o..ps@example.test",
      "ops@example.test ",
      "ops@example.test\r\nBcc: victim@example.test",
      "ops@example.test, victim@example.test",
      "ops@example.test;victim@example.test",
      "Ops <ops@example.test>",
      '"ops"@example.test',
      "ops@victim.test@example.test",
      "öps@example.test",
      `${"o".repeat(65)}@example.test`,
      `ops@${"e".repeat(64)}.test`
    ])
      assert.isTrue(refused({ address }), address)
    for (const address of ["ops@example.test", "o.p+s/1=x@sub.example-1.test", "OPS@xn--bcher-kva.test"])
      assert.isFalse(refused({ address }), address)
  })

  it("of the server are validated at startup, and passed to the network policy", () => {
    const config = { address: MailWorld.address }
    for (const SMTP_URL of [
      "mail.example.test",
      "http://mail.example.test",
      "smtp://",
      "smtp://host?pool=true",
      "smtp://u:1%@host"
    ])
      assert.isTrue(refused(config, { SMTP_URL }), SMTP_URL)
    for (const SMTP_FROM of ["Kanmon", "a@example.test, b@example.test", "K\n <a@example.test>", "<>"])
      assert.isTrue(refused(config, { SMTP_FROM }), SMTP_FROM)
    for (const SMTP_FROM of ["a@example.test", "Kanmon <a@example.test>", '"Kanmon, alerts" <a@example.test>'])
      assert.isFalse(refused(config, { SMTP_FROM }), SMTP_FROM)
    const destinations = (SMTP_URL: string) => channel.destinations({ SMTP_URL })
    assert.deepStrictEqual(destinations("smtp://u:p@mail.example.test?requireTLS=true"), [
      "smtp://mail.example.test:587"
    ])
    assert.deepStrictEqual(destinations("smtps://mail.example.test"), ["smtp://mail.example.test:465"])
    assert.deepStrictEqual(destinations("smtp://[::1]:2525"), ["smtp://[::1]:2525"])
    assert.deepStrictEqual(channel.destinations({}), [])
  })
})
