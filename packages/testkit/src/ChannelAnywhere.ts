/**
 * A destination for channels without their own world: a server that accepts every request, wherever the channel's example
 * leads. It knows no provider's rules, so it tests less than a dedicated world.
 */
import type { Channel } from "@kanmon/core/Channel"
import { Dialer } from "@kanmon/core/Dialer"
import * as NodeDialer from "@kanmon/core/NodeDialer"
import * as NodeResolver from "@kanmon/core/NodeResolver"
import { Effect, Layer } from "effect"
import { certificates } from "./Certificates.ts"
import { type Mood, ordinary, type World } from "./ChannelWorld.ts"
import * as Targets from "./Targets.ts"

/** Typical success responses; each provider's client reads the field it knows. */
const welcome = JSON.stringify({ ok: true, success: true, status: 1, result: "success" })

const policy = { allowPrivate: true }
const network = NodeDialer.layer(policy).pipe(Layer.provide(NodeResolver.layer(policy)))

export const world = (channel: Channel): World => ({
  start: Effect.gen(function* () {
    let mood: Mood = "well"
    const behaviour: Targets.Behaviour = (request, response) => {
      if (mood === "hang") return
      if (mood === "cut") return void request.socket.destroy()
      const { headers, method = "", url: path = "" } = request
      const body = [...plain.requests, ...secure.requests].at(-1)?.body ?? ""
      const reply =
        mood === "well"
          ? { status: 200, headers: { "content-type": "application/json" }, body: welcome }
          : ordinary(mood, { method, path, headers: headers as Record<string, string>, body })
      response.writeHead(reply.status, reply.headers)
      response.end(reply.body)
    }
    const plain: Targets.HttpTarget = yield* Targets.http(behaviour)
    const secure: Targets.HttpTarget = yield* Targets.http(behaviour, (yield* certificates).good)
    const real = yield* Effect.provide(
      Effect.map(Dialer, (service) => service),
      network
    )
    return {
      config: channel.example,
      dialer: Dialer.of({
        ping: real.ping,
        dial: (options) =>
          Effect.map(
            real.dial({ ...options, address: "127.0.0.1", port: options.tls === undefined ? plain.port : secure.port }),
            (connection) =>
              connection.peer === null
                ? connection
                : { ...connection, peer: { ...connection.peer, authorizationError: null, nameMismatch: false } }
          )
      }),
      behave: (next) => void (mood = next),
      attempts: () => plain.requests.length + secure.requests.length,
      taken: () => [],
      complaints: () => []
    }
  })
})
