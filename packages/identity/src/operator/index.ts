/** The people of an installation, for its administrators: lists, disabling and enabling, and acting as an account. */
import * as OperatorHandlers from "./OperatorHandlers.ts"

export { Operator } from "./Operator.ts"

/** The operations of this feature. */
export const layerApi = OperatorHandlers.layer
