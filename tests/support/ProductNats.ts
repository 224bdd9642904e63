/** Connects to the embedded bus of a running product, as its operator can. */
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { connect, type NatsConnection } from "@nats-io/transport-node"
import { Effect, type Scope } from "effect"
import { eventually, type Product } from "./Product.ts"

/** The server's address and token. The product answers requests before it prints the address. */
export const address = Effect.fnUntraced(function* (product: Product) {
  const found = yield* eventually(
    Effect.sync(() => /embedded NATS \S+ on port (\d+)/.exec(product.output())),
    (match) => match !== null
  )
  const token = yield* Effect.promise(() => fs.readFile(path.join(product.dataDirectory, "nats/token"), "utf8"))
  return { servers: `127.0.0.1:${found![1]}`, token: token.trim() }
})

export const join = (product: Product): Effect.Effect<NatsConnection, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.flatMap(address(product), (options) => Effect.promise(() => connect(options))),
    (connection) => Effect.promise(() => connection.close())
  )
