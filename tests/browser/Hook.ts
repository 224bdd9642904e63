/** Where notifications arrive; it keeps them. */
import * as Targets from "@kanmon/testkit/Targets"
import { Context, Layer } from "effect"

export class Hook extends Context.Service<Hook, Targets.HttpTarget>()("@kanmon/tests/browser/Hook") {
  static readonly layer = Layer.effect(Hook, Targets.http(Targets.answer({ status: 200, body: "thanks" })))
}
