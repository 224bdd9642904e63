/** Sends the pages of tests when they are due, and ends tests that no one acknowledges. */
import { DueWork } from "@kanmon/platform/DueWork"
import { Effect, Layer } from "effect"
import { isPageTestDue } from "./PageTestRepository.ts"
import { PageTests } from "./PageTests.ts"

export const layer = (baseUrl: string): Layer.Layer<never, never, DueWork | PageTests> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const { watch } = yield* DueWork
      const { runDue } = yield* PageTests
      yield* watch(isPageTestDue, "Sending pages of tests", runDue(baseUrl))
    })
  )
