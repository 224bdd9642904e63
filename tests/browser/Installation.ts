/** The product in a process of its own, and a browser. */
import { Context, Effect, Layer } from "effect"
import * as Browser from "../support/Browser.ts"
import * as Product from "../support/Product.ts"

/** Tests open pages faster than people: they wait for no limit, unless they are about it. */
export const unhurried = {
  KANMON_READS_PER_MINUTE: "1000000",
  KANMON_SIGN_INS_PER_MINUTE: "1000",
  KANMON_WRITES_PER_MINUTE: "1000000"
} as const

export class Installation extends Context.Service<
  Installation,
  { readonly origin: string; readonly product: Product.Product }
>()("@kanmon/tests/browser/Installation") {
  /** `env` is what it is set up with. */
  static readonly layer = (env: Readonly<Record<string, string>> = {}) =>
    Layer.effect(
      Installation,
      Effect.gen(function* () {
        const product = yield* Product.make({ withoutNats: true, env: { ...unhurried, ...env } })
        yield* product.healthy
        return Installation.of({ origin: new URL(product.base).origin, product })
      })
    ).pipe(Layer.merge(Browser.Browser.layer))
}
