/**
 * The process is killed by `kill -9` between the e-mails of one alert to several addresses: after the restart those that are
 * missing are sent, and none again whose acceptance was noted.
 */
import { assert, layer } from "@effect/vitest"
import * as Database from "@kanmon/platform/database/Database"
import { Context, Deferred, Effect, Fiber, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import * as MailWorld from "../../plugins/notify-email/test/MailWorld.ts"
import * as LockWaits from "../support/LockWaits.ts"
import { type Client, eventually, make, type Product } from "../support/Product.ts"
import * as TestDatabase from "../support/TestDatabase.ts"

interface Mail {
  readonly to: string
  readonly messageId: string
  /** The mail server has answered 250 to it. */
  isAccepted: boolean
}

interface Gate {
  readonly address: string
  /** Holds a whole e-mail, whose sender waits for the answer. */
  readonly arrived: Deferred.Deferred<void>
  readonly opened: Deferred.Deferred<void>
}

/** A mail server that holds its answer to one address. */
const mailServer = Effect.gen(function* () {
  const mails: Array<Mail> = []
  let gate: Gate | undefined
  const { settings } = yield* MailWorld.start({
    server: {
      onData: (stream, { envelope }, done) => {
        let source = ""
        stream.on("data", (chunk: Buffer) => (source += chunk.toString()))
        stream.on("end", () => {
          const messageId = /^Message-ID:\s*(\S+)/im.exec(source)![1]!
          const mail = { to: envelope.rcptTo[0]!.address, messageId, isAccepted: false }
          mails.push(mail)
          const accept = () => {
            mail.isAccepted = true
            done(null, "2.0.0 queued")
          }
          if (gate?.address !== mail.to) return accept()
          const { arrived, opened } = gate
          gate = undefined
          void Effect.runPromise(Effect.andThen(Deferred.succeed(arrived, undefined), Deferred.await(opened))).then(
            accept
          )
        })
      }
    }
  })
  return {
    settings,
    to: (address: string) => mails.filter(({ to }) => to === address),
    /** Holds the answer to the next e-mail to an address. */
    hold: (address: string) => {
      gate = { address, arrived: Deferred.makeUnsafe(), opened: Deferred.makeUnsafe() }
      return { arrived: Deferred.await(gate.arrived), open: Deferred.succeed(gate.opened, undefined) }
    }
  }
})

/** A product that sends e-mails without asking their readers first; each test leaves it running. */
class Sending extends Context.Service<
  Sending,
  { readonly mail: Effect.Success<typeof mailServer>; readonly product: Product }
>()("@kanmon/tests/e2e/killed-deliveries/Sending") {
  static readonly layer = Layer.effect(
    Sending,
    Effect.gen(function* () {
      const mail = yield* mailServer
      const product = yield* make({ env: { ...mail.settings, KANMON_CONFIRM_RECIPIENTS: "never" } })
      yield* product.healthy
      return { mail, product }
    })
  )
}

/** A person whose only channel has these addresses, and a monitor that is down as soon as it is told. */
const watched = (product: Product, addresses: readonly [string, ...ReadonlyArray<string>]) =>
  Effect.gen(function* () {
    const ada = yield* product.signUp
    const [address, ...additionalAddresses] = addresses
    const channel = { name: "Team", type: "email", config: { address, additionalAddresses } }
    assert.strictEqual((yield* ada.call("POST", "/notification-channels", channel)).status, 201)
    const rule = yield* ada.call("POST", "/alert-rules", { name: "Down", trigger: "monitor_down" })
    assert.strictEqual(rule.status, 201)
    const job = yield* ada.call("POST", "/monitors", { name: "Job", type: "heartbeat", interval: 600 })
    return { ada, fail: product.call("POST", `${job.body.heartbeatUrl}/fail`) }
  })

/** The only delivery of the only alert. */
const delivery = (client: Client): Effect.Effect<any> =>
  Effect.gen(function* () {
    const [entry] = (yield* client.call("GET", "/alert-history")).body
    if (entry === undefined) return undefined
    return (yield* client.call("GET", `/alert-history/${entry.id}/deliveries`)).body[0]
  })

/** The recipients that the history has an outcome of, in order. */
const noted = (one: any): ReadonlyArray<string> => (one?.attempts ?? []).map(({ recipient }: any) => recipient)

const killed = Effect.fnUntraced(function* (product: Product) {
  assert.strictEqual(yield* product.stop("SIGKILL"), "SIGKILL")
})

const restarted = (product: Product) => Effect.andThen(product.start, product.healthy)

const delivered = (client: Client) => eventually(delivery(client), (one) => one?.status === "delivered")

const live = { timeout: "10 minutes", excludeTestServices: true } as const

layer(Sending.layer, live)("an alert to several addresses whose sender is killed", (it) => {
  it.effect("reaches those that were missing once, and the noted one never again", () =>
    Effect.gen(function* () {
      const { mail, product } = yield* Sending
      const all = ["one@noted.test", "two@noted.test", "three@noted.test"] as const
      const { ada, fail } = yield* watched(product, all)
      const held = mail.hold(all[1])
      yield* fail
      yield* held.arrived
      assert.deepStrictEqual(noted(yield* delivery(ada)), [all[0]])
      yield* killed(product)
      yield* restarted(product)

      const { attempts } = yield* delivered(ada)
      assert.deepStrictEqual(
        attempts.map(({ outcome, recipient }: any) => [recipient, outcome]),
        all.map((address) => [address, "delivered"])
      )
      assert.deepStrictEqual(
        all.map((address) => mail.to(address).map(({ isAccepted }) => isAccepted)),
        // The killed process never heard the answer to the second.
        [[true], [false, true], [true]]
      )
      const [before, after] = mail.to(all[1])
      assert.strictEqual(after!.messageId, before!.messageId)
      yield* held.open
    })
  )

  for (const [index, place] of (["first", "last"] as const).entries())
    it.effect.skipIf(!TestDatabase.isShared())(
      `repeats the ${place} alone, with its Message-ID, if its acceptance was not noted`,
      () =>
        Effect.gen(function* () {
          const { mail, product } = yield* Sending
          const all = [`one@${place}.test`, `two@${place}.test`, `three@${place}.test`] as const
          const repeated = all[index === 0 ? 0 : 2]
          const { ada, fail } = yield* watched(product, all)
          const held = mail.hold(repeated)
          yield* fail
          yield* held.arrived
          const { id } = yield* delivery(ada)
          const sql = yield* SqlClient.SqlClient
          const locked = Deferred.makeUnsafe<void>()
          const over = Deferred.makeUnsafe<void>()
          // The note waits for this transaction, so that the process is killed after the acceptance and before the note.
          const locking = sql`SELECT FROM deliveries WHERE id = ${id} FOR UPDATE`.pipe(
            Effect.andThen(Deferred.succeed(locked, undefined)),
            Effect.andThen(Deferred.await(over)),
            sql.withTransaction
          )
          const lock = yield* Effect.forkScoped(locking)
          yield* Deferred.await(locked)
          yield* held.open
          yield* LockWaits.waiting(1)
          yield* killed(product)
          yield* Deferred.succeed(over, undefined)
          yield* Fiber.join(lock)
          yield* restarted(product)

          const { attempts } = yield* delivered(ada)
          assert.deepStrictEqual(
            attempts.map(({ outcome, recipient }: any) => [recipient, outcome]),
            all.map((address) => [address, "delivered"])
          )
          for (const address of all) {
            const [first, ...again] = mail.to(address)
            assert.isTrue(first!.isAccepted)
            assert.deepStrictEqual(again, address === repeated ? [first!] : [], address)
          }
        }).pipe(Effect.scoped, Effect.provide(databaseOf))
    )
})

/** The database of the product. */
const databaseOf = Layer.unwrap(
  Effect.map(Sending, ({ product }) => Database.layer(Redacted.make(product.settings["DATABASE_URL"]!)))
)
