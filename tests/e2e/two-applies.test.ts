/** Two people apply at once: the second one does not overwrite what its plan did not show. */
import { assert, it } from "@effect/vitest"
import * as Applying from "@kanmon/as-code/Applying"
import * as ApplyPlan from "@kanmon/as-code/ApplyPlan"
import * as Decoding from "@kanmon/as-code/Decoding"
import * as Remote from "@kanmon/as-code/Remote"
import * as Source from "@kanmon/as-code/Source"
import * as State from "@kanmon/as-code/State"
import { Catalogue } from "@kanmon/core/PluginHost"
import { Effect, Redacted } from "effect"
import * as LocalPlugins from "../../apps/server/src/cli/LocalPlugins.ts"
import * as SharedProduct from "../support/SharedProduct.ts"

const file = (threshold: number, more = "") =>
  `monitors:\n  shop:\n    type: http\n    url: https://shop.example\n    degradedThreshold: ${threshold}\n${more}`

/** What `kanmon apply` does up to the confirmation. */
const planned = Effect.fnUntraced(function* (text: string, prune = false) {
  const { entries } = Source.read([{ name: "kanmon.yaml", text }], {})
  const catalogue = yield* Catalogue
  const { wanted } = Decoding.decode(entries, catalogue)
  const { current } = yield* State.read(wanted, catalogue.checks)
  return { current, plan: ApplyPlan.make(wanted, current, { prune }) }
})

const apply = ({ current, plan }: Effect.Success<ReturnType<typeof planned>>) =>
  Applying.apply(plan, current, () => Effect.void)

const statusOf = ({ refused }: Applying.ApplyOutcome) => refused?.failure.status

it.live("refuses a plan that was made on an older state, and changes nothing", () =>
  Effect.gen(function* () {
    const product = yield* SharedProduct.product
    const ada = yield* product.signUp
    yield* Effect.gen(function* () {
      const shop = Effect.map(ada.call("GET", "/monitors?key=shop"), ({ body }) => body[0])
      // Both create it: one does.
      const firsts = [yield* planned(file(500)), yield* planned(file(600))]
      const made = yield* Effect.forEach(firsts, apply, { concurrency: "unbounded" })
      assert.sameMembers(made.map(statusOf), [undefined, 409])

      // Both change it, and one of them more beside it: all of a plan is refused.
      const other = "  till:\n    type: ping\n    host: till.example\n"
      const [one, two, pruning] = [
        yield* planned(file(700)),
        yield* planned(file(800, other)),
        yield* planned("monitors:\n  till:\n    type: ping\n    host: till.example\n", true)
      ]
      assert.isUndefined(statusOf(yield* apply(one)))
      for (const late of [two, pruning]) {
        const outcome = yield* apply(late)
        assert.strictEqual(statusOf(outcome), 412)
        assert.deepStrictEqual(
          outcome.refused!.objections.map(({ path, step }) => [step.key, path]),
          [["shop", ""]]
        )
        assert.match(outcome.refused!.objections[0]!.message, /changed at .* after it was read/)
        assert.isEmpty(outcome.done)
      }
      assert.strictEqual((yield* shop).degradedThreshold, 700)
      assert.lengthOf((yield* ada.call("GET", "/monitors?key=till")).body, 0)

      // The next plan is made on the new state, and what happened beside it does not hold it up.
      const again = yield* planned(file(800, other))
      yield* ada.call("POST", "/monitors", { name: "By hand", type: "ping", host: "a.example" })
      assert.isUndefined(statusOf(yield* apply(again)))
      assert.strictEqual((yield* shop).degradedThreshold, 800)

      // So it is with what somebody changes in the dashboard.
      const slow = yield* planned(file(900, other))
      yield* ada.call("PATCH", `/monitors/${(yield* shop).id}`, { name: "The shop" })
      assert.strictEqual(statusOf(yield* apply(slow)), 412)
      assert.include(yield* shop, { name: "The shop", degradedThreshold: 800 })
    }).pipe(
      Effect.provide(Remote.layer(product.base.replace("/api/v1", ""), { apiKey: Redacted.make(ada.key) })),
      Effect.provide(LocalPlugins.layer)
    )
  }).pipe(Effect.scoped)
)
