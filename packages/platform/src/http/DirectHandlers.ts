/** One handler for every endpoint of a group that reads requests itself. */
import type { Problem } from "@kanmon/protocol/Problem"
import type { Effect } from "effect"
import type { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import type { HttpApiBuilder, HttpApiEndpoint } from "effect/http-api"

/** A request, and the endpoint that it is for. */
export interface Asked {
  readonly request: HttpServerRequest.HttpServerRequest
  readonly endpoint: HttpApiEndpoint.Top
}

export type Answer = (
  asked: Asked
) => Effect.Effect<HttpServerResponse.HttpServerResponse, Problem, HttpRouter.Provided>

type Handled<Endpoints extends Readonly<Record<string, HttpApiEndpoint.Constraint>>> = HttpApiBuilder.Handlers<
  | HttpApiEndpoint.Middleware<Endpoints[keyof Endpoints]>
  | HttpApiEndpoint.MiddlewareServices<Endpoints[keyof Endpoints]>,
  Endpoints,
  keyof Endpoints
>

/** Handlers by the names of the endpoints: the type cannot follow a loop over them. */
interface Handling {
  readonly handleRaw: (name: string, answer: Answer) => Handling
}

/** Gives every endpoint of the group the same handler. */
export const handleEach = <Endpoints extends Readonly<Record<string, HttpApiEndpoint.Constraint>>>(
  handlers: HttpApiBuilder.Handlers<never, Endpoints>,
  endpoints: Endpoints,
  answer: Answer
): Handled<Endpoints> =>
  Object.keys(endpoints).reduce<Handling>(
    (all, name) => all.handleRaw(name, answer),
    handlers as unknown as Handling
  ) as unknown as Handled<Endpoints>
