/** Page tests: people try out how pages reach them, before an alert does. */
import { Effect, Layer } from "effect"
import * as Cluster from "@kanmon/platform/cluster/Cluster"
import { TestAnswers } from "../alerts/index.ts"
import * as PageTestsHandlers from "./PageTestsHandlers.ts"
import { PageTests } from "./PageTests.ts"
import * as PageTestWorker from "./PageTestWorker.ts"

export { PageTestMessages } from "./PageTestMessages.ts"
export { PageTests } from "./PageTests.ts"

/** Page tests, and the port by which links in their messages acknowledge them. */
export const layer = Layer.effect(
  TestAnswers,
  Effect.map(PageTests, ({ acknowledge, find }) =>
    TestAnswers.of({
      find: (id) => Effect.map(find(id), (test) => test?.state),
      acknowledge: (id, by) =>
        Effect.result(acknowledge(id, by)).pipe(Effect.map((result) => result._tag === "Success"))
    })
  )
).pipe(Layer.provideMerge(PageTests.layer))

/** The operations of this feature. */
export const layerApi = PageTestsHandlers.layer

/** The jobs of this feature. */
export const layerWorker = (baseUrl: string) => Cluster.singleton("page tests", PageTestWorker.layer(baseUrl))
