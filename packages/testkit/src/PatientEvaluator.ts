/** The evaluator for tests in real time: a machine that is busy with other tests makes it wait, and none fails for that. */
import { BoundedEvaluator, EvaluationWait } from "@kanmon/core/BoundedEvaluator"
import { Layer } from "effect"

/** Only what hangs takes so long; below the limit of tests, so that the failure says what hung. */
const wait = Layer.succeed(EvaluationWait, 240_000)

/** Provide it to what runs checks too: a check waits as long as its evaluation. */
export const layer = Layer.provideMerge(BoundedEvaluator.layer, wait)
