/** What stands before every endpoint that needs a caller: who calls, how often they may, and whether they called before. */
import type { Principal } from "@kanmon/domain/Principal"
import { Context } from "effect"
import { HttpApiMiddleware } from "effect/http-api"

/** The caller of the request. */
export class Caller extends Context.Service<Caller, Principal>()("@kanmon/protocol/Caller") {}

/** Renders problems, on every endpoint. */
export class Problems extends HttpApiMiddleware.Service<Problems>()("@kanmon/protocol/Problems") {}

/** Lets callers through and says who they are. */
export class Gate extends HttpApiMiddleware.Service<Gate, { provides: Caller }>()("@kanmon/protocol/Gate") {}
