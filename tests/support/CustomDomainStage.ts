/**
 * A stage for custom domains: a certificate authority behind a gate, DNS, port 80 answered by a server that orders nothing,
 * pages, engines, and a visitor who trusts one root alone. Over the store of a test.
 */
import { createServer } from "node:http"
import { connect, type DetailedPeerCertificate } from "node:tls"
import { assert } from "@effect/vitest"
import { AuthRecords } from "@kanmon/identity/accounts"
import * as NodeResolver from "@kanmon/core/NodeResolver"
import { UserId } from "@kanmon/domain/Ids"
import { Acme, type AcmeSettings } from "@kanmon/monitoring/testing/custom-domains/Acme.ts"
import * as CustomDomainWorker from "@kanmon/monitoring/testing/custom-domains/CustomDomainWorker.ts"
import { Projects } from "@kanmon/identity/testing/projects/Projects.ts"
import { StatusPages } from "@kanmon/monitoring/testing/status-pages/StatusPages.ts"
import { Clock, Effect, Layer } from "effect"
import * as Http01Listener from "../../apps/server/src/listeners/Http01Listener.ts"
import { ServedCertificates } from "@kanmon/monitoring/testing/custom-domains/ServedCertificates.ts"
import * as TlsListener from "../../apps/server/src/listeners/TlsListener.ts"
import * as AcmeGate from "./AcmeGate.ts"
import * as Engines from "./Engines.ts"
import * as Pebble from "./Pebble.ts"

export const host = "pages.kanmon.test"
export const domain = "status.acme.test"
/** Moves what is tested to another time; the database's driver and the network keep the real one. */
export const later = (millis: number) =>
  Effect.updateService(Clock.Clock, (clock): Clock.Clock =>
    Object.assign(Object.create(clock), {
      currentTimeMillisUnsafe: () => clock.currentTimeMillisUnsafe() + millis,
      currentTimeMillis: Effect.sync(() => clock.currentTimeMillisUnsafe() + millis)
    })
  )

/** A page with this domain, of an account of its own. */
export const pageWith = (customDomain: string, account = customDomain) =>
  Effect.gen(function* () {
    const id = UserId.make(`usr_${account.replaceAll(".", "")}`)
    const now = new Date()
    const email = `${id}@example.org`
    const user = { id, name: "Ada", email, emailVerified: false, createdAt: now, updatedAt: now }
    yield* (yield* AuthRecords).create("user", user)
    const [project] = yield* (yield* Projects).ofMember(id)
    const pages = yield* StatusPages
    const slug = account.replaceAll(".", "-")
    const page = yield* pages.create(project!.id, { name: "Acme", slug, monitors: [], customDomain })
    return {
      id: page.id,
      projectId: project!.id,
      organizationId: project!.organizationId,
      standing: Effect.map(pages.get(project!.id, page.id), (now) => ({
        status: now.customDomainStatus,
        error: now.customDomainError
      })),
      remove: Effect.orDie(pages.remove(project!.id, page.id)),
      touch: pages.update(project!.id, page.id, (current) => Effect.succeed({ ...current, name: "Acme Inc." }))
    }
  })

/** The stage: an authority behind a gate, DNS that leads here, and port 80 answered by a server that orders nothing. */
export const stage = (options: Pebble.PebbleOptions = {}) =>
  Effect.gen(function* () {
    const pebble = yield* Pebble.make(options)
    const gate = yield* AcmeGate.make(pebble.port)
    yield* pebble.address(host, "127.0.0.1")
    const port = yield* Http01Listener.make({ host: "127.0.0.1", port: pebble.challengePort, baseUrl: "http://a.test" })
    assert.strictEqual(port, pebble.challengePort)
    type Settings = Partial<CustomDomainWorker.CustomDomainSettings> & Pick<AcmeSettings, "binding">
    const optionsOf = (engine: string, settings: Settings) => ({
      engine,
      host,
      reserved: [],
      pagesDomain: undefined,
      trusted: true,
      certificates: true,
      ...settings
    })
    const outside = ({ binding }: Settings) =>
      Layer.mergeAll(
        Acme.layer({ directory: gate.directory, email: "ops@kanmon.test", ca: pebble.ca, binding }),
        NodeResolver.layer({ allowPrivate: true, server: pebble.resolver })
      )
    /** One step at a time. */
    const engine = (name: string, settings: Settings = {}) =>
      Effect.andThen(Engines.join(name), CustomDomainWorker.make(optionsOf(name, settings))).pipe(
        Effect.provide(outside(settings))
      )
    /** An engine that runs continuously. */
    const running = (settings: Settings = {}) =>
      Effect.andThen(
        Engines.join("running"),
        Layer.build(CustomDomainWorker.layer(optionsOf("running", settings)).pipe(Layer.provide(outside(settings))))
      )
    return { pebble, gate, engine, running }
  })

/** A TLS listener over a server that says whom it was asked for. */
export const tls = Effect.gen(function* () {
  const plain = createServer((request, response) => response.end(`The page of ${request.headers.host}`))
  return yield* TlsListener.make({ plain, host: "127.0.0.1", port: 0 }).pipe(
    Effect.provide(Layer.fresh(ServedCertificates.layer))
  )
})

export interface Visit {
  readonly serial: string
  readonly chain: number
  readonly answer: string
  /** For a later visit that takes this one up. */
  readonly session: Buffer | undefined
  readonly resumed: boolean
}

/** Visits as a browser does that trusts this root alone. Fails with the handshake's error. */
export const visit = (
  port: number,
  ca: string,
  name: string,
  hostHeader = name,
  earlier?: Buffer
): Effect.Effect<Visit, Error> =>
  Effect.callback((resume) => {
    const socket = connect({
      port,
      host: "127.0.0.1",
      servername: name,
      ca,
      ...(earlier === undefined ? {} : { session: earlier })
    })
    let session: Buffer | undefined
    socket.on("session", (offered) => (session = offered))
    let answer = ""
    let seen: DetailedPeerCertificate | undefined
    let resumed = false
    socket.on("secureConnect", () => {
      seen = socket.getPeerCertificate(true)
      resumed = socket.isSessionReused()
      socket.write(`GET / HTTP/1.1\r\nhost: ${hostHeader}\r\nconnection: close\r\n\r\n`)
    })
    socket.on("data", (chunk) => (answer += chunk.toString("latin1")))
    socket.on("error", (cause) => resume(Effect.fail(cause)))
    socket.on("close", () => {
      if (seen === undefined) return resume(Effect.fail(new Error("The handshake was refused")))
      let chain = 1
      // A session that is taken up shows no certificate.
      for (let at = seen; at.issuerCertificate !== at && at.issuerCertificate !== undefined; at = at.issuerCertificate)
        chain++
      resume(Effect.succeed({ serial: seen.serialNumber, chain, answer, session, resumed }))
    })
  })
