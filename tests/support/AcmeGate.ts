/**
 * A proxy in front of a certificate authority: counts requests, and can replace responses, because a test server has no
 * rate limits.
 */
import type { IncomingMessage, ServerResponse } from "node:http"
import { createServer, request } from "node:https"
import type { AddressInfo } from "node:net"
import { certificates } from "@kanmon/testkit/Certificates"
import { Effect, type Scope } from "effect"

export interface Refusal {
  readonly status: number
  /** Without the prefix of ACME errors. */
  readonly type: string
  readonly detail: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface AcmeGate {
  readonly directory: string
  /** Requested paths, in order. */
  readonly asked: ReadonlyArray<string>
  /** Number of orders placed and accepted. */
  readonly orders: () => number
  /** Replaces the response to the next POST to a path with this ending. */
  readonly refuseNext: (ending: string, refusal: Refusal) => void
  /** Delays the next POST to a path with this ending until it is released. */
  readonly hold: (ending: string) => void
  readonly release: () => void
  /** Whether a request is being delayed. */
  readonly held: () => boolean
}

/** Pebble's path for new orders. */
export const newOrder = "/order-plz"

export const make = (port: number): Effect.Effect<AcmeGate, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { good, root } = yield* certificates
    const asked: Array<string> = []
    const refusals = new Map<string, Refusal>()
    let orders = 0
    let holding: string | undefined
    let isHeld = false
    let release = (): void => undefined
    const server = createServer({ key: good.key, cert: good.cert }, (incoming, response) => {
      const { method, url: path = "/" } = incoming
      asked.push(`${method} ${path}`)
      if (holding !== undefined && method === "POST" && path.endsWith(holding)) {
        holding = undefined
        isHeld = true
        release = () => pass(incoming, response)
        return
      }
      const found = [...refusals].find(([ending]) => method === "POST" && path.endsWith(ending))
      if (found !== undefined) {
        const [ending, { detail, headers: further, status, type }] = found
        refusals.delete(ending)
        incoming.resume()
        response.writeHead(status, { "content-type": "application/problem+json", ...further })
        response.end(JSON.stringify({ type: `urn:ietf:params:acme:error:${type}`, detail, status }))
        return
      }
      pass(incoming, response)
    })
    const pass = (incoming: IncomingMessage, response: ServerResponse): void => {
      const { headers, method, url: path = "/" } = incoming
      // With its own `Host` the authority names addresses that lead through here.
      const onward = request({ host: "127.0.0.1", port, path, method, headers, ca: root }, (answer) => {
        if (path === newOrder && answer.statusCode === 201) orders++
        response.writeHead(answer.statusCode!, answer.headers)
        answer.pipe(response)
      })
      onward.on("error", () => response.destroy())
      incoming.pipe(onward)
    }
    yield* Effect.acquireRelease(
      Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
      () => Effect.sync(() => (server.close(), server.closeAllConnections()))
    )
    return {
      directory: `https://127.0.0.1:${(server.address() as AddressInfo).port}/dir`,
      asked,
      orders: () => orders,
      refuseNext: (ending, refusal) => void refusals.set(ending, refusal),
      hold: (ending) => void (holding = ending),
      release: () => release(),
      held: () => isHeld
    }
  })
