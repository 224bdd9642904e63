/**
 * A running product for tests that need just any: each worker of the test run starts one and keeps it for all its files. Tests
 * isolate themselves as tenants do, by signing up; what is unique in an installation, such as slugs, they make unique.
 */
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { Effect, Exit, Scope } from "effect"
import { inject } from "vitest"
import * as Product from "./Product.ts"

const start = async (): Promise<Product.Product> => {
  const scope = Scope.makeUnsafe()
  const made = Product.make().pipe(
    Effect.tap(({ healthy }) => healthy),
    Effect.provideService(Scope.Scope, scope)
  )
  try {
    const product = await Effect.runPromise(made)
    // Workers end without a word: the run itself stops what they leave (globalSetup).
    await fs.writeFile(path.join(inject("leftRunning"), String(product.pid())), path.dirname(product.log))
    return product
  } catch (error) {
    await Effect.runPromise(Scope.close(scope, Exit.void))
    throw error
  }
}

let started: Promise<Product.Product> | undefined

/** The product of this worker. It is not stopped, killed or restarted by tests. */
export const product: Effect.Effect<Product.Product> = Effect.promise(() => (started ??= start()))
