/** A way into the embedded bus of a running product, as its operator has one. */
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { connect, type NatsConnection } from "@nats-io/transport-node"
import { Effect, type Scope } from "effect"
import type { Product } from "./Product.ts"

/** Where the server listens, and the token that it asks for. */
export const address = (product: Product) =>
  Effect.promise(async () => ({
    servers: `127.0.0.1:${/embedded NATS \S+ on port (\d+)/.exec(product.output())![1]}`,
    token: (await fs.readFile(path.join(product.dataDirectory, "nats/token"), "utf8")).trim()
  }))

export const join = (product: Product): Effect.Effect<NatsConnection, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.flatMap(address(product), (options) => Effect.promise(() => connect(options))),
    (connection) => Effect.promise(() => connection.close())
  )
