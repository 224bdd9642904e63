/**
 * A running product for tests that need just any: each worker of the test run starts one and keeps it for all its files. Tests
 * isolate themselves as tenants do, by signing up; what is unique in an installation, such as slugs, they make unique.
 */
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { Effect, Exit, Scope } from "effect"
import { inject } from "vitest"
import * as Product from "./Product.ts"

interface Started {
  readonly product: Product.Product
  readonly close: () => Promise<void>
}

const start = async (): Promise<Started> => {
  const scope = Scope.makeUnsafe()
  const close = () => Effect.runPromise(Scope.close(scope, Exit.void))
  const made = Product.make().pipe(
    Effect.tap(({ healthy }) => healthy),
    Effect.provideService(Scope.Scope, scope)
  )
  try {
    const product = await Effect.runPromise(made)
    // Workers end without a word: the run itself stops what they leave (globalSetup).
    const note = path.join(inject("leftRunning"), `${product.pid()}-${process.pid}`)
    await fs.writeFile(note, path.dirname(product.log))
    return { product, close: () => close().then(() => fs.rm(note)) }
  } catch (error) {
    await close()
    throw error
  }
}

let started: Promise<Started> | undefined

/** The product of this worker. It is not stopped, killed or restarted by tests. */
export const product: Effect.Effect<Product.Product> = Effect.promise(async () => (await (started ??= start())).product)

/** Stops it where files follow that need none: without requests it still works for itself. One that needs it starts another. */
export const end: Effect.Effect<void> = Effect.promise(async () => {
  const running = started
  started = undefined
  // One that did not start has told its test why.
  await (await running?.catch(() => undefined))?.close()
})
