/** Every endpoint of the contract, for what all of them have to keep. */
import { Contract } from "@kanmon/protocol/Api"
import { HttpApi, type HttpApiEndpoint } from "effect/http-api"

export const endpoints: ReadonlyArray<HttpApiEndpoint.Top> = (() => {
  const found: Array<HttpApiEndpoint.Top> = []
  HttpApi.reflect(Contract, { onGroup: () => {}, onEndpoint: ({ endpoint }) => void found.push(endpoint) })
  return found
})()

/** A method and path for each of them, whose parameters are all `example`. */
export const requests: ReadonlyArray<readonly [method: string, path: string]> = endpoints.map(({ method, path }) => [
  method,
  path.replaceAll(/:\w+/g, "example")
])
