/** Long work on many monitors: started by one request, done in batches, stopped, and resumed after a restart. */
import { Layer } from "effect"
import { OperationRepository } from "./OperationRepository.ts"
import * as OperationRunner from "./OperationRunner.ts"
import { Operations } from "./Operations.ts"
import * as OperationsHandlers from "./OperationsHandlers.ts"

/** The operations of this feature. Each process with an API takes its turn at the work itself: it has all that decodes changes. */
export const layerApi = Layer.mergeAll(OperationsHandlers.layer, OperationRunner.layer).pipe(
  Layer.provide(Operations.layer),
  Layer.provide(OperationRepository.layer)
)
