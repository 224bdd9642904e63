/** What each endpoint of the contract demands of its callers, before its handler runs. */
import { assert, describe, it } from "@effect/vitest"
import { Contract } from "@kanmon/protocol/Api"
import { DirectApi, DirectRoutes } from "@kanmon/protocol/DirectApi"
import * as Middleware from "@kanmon/protocol/Middleware"
import { HttpApi, type HttpApiEndpoint } from "effect/http-api"

const endpointsOf = (api: unknown): ReadonlyArray<HttpApiEndpoint.Top> => {
  const found: Array<HttpApiEndpoint.Top> = []
  HttpApi.reflect(api as typeof Contract, {
    onGroup: () => {},
    onEndpoint: ({ endpoint }) => void found.push(endpoint)
  })
  return found
}

const endpoints = endpointsOf(Contract)

const nameOf = ({ method, path }: HttpApiEndpoint.Top): string => `${method} ${path}`

const around = ({ middlewares }: HttpApiEndpoint.Top): ReadonlyArray<unknown> => [...middlewares]

/** From the outside in: what a request meets first. */
const inOrder: ReadonlyArray<unknown> = [
  Middleware.Problems,
  Middleware.AddressLimits,
  Middleware.Provisioning,
  Middleware.Authorization,
  Middleware.Limits,
  Middleware.OrganizationOnly,
  Middleware.OrganizationOrKey,
  Middleware.ProjectOnly,
  Middleware.UserOnly,
  Middleware.AdminOnly,
  Middleware.Idempotency,
  Middleware.JsonBody,
  Middleware.BoundedBody
]

/** Endpoints that count no requests of their callers, and why. */
const uncounted: ReadonlyArray<readonly [path: RegExp, why: string]> = [
  [/^\/api\/v1\/heartbeat\//, "signals are counted by their token (SignalLimits)"],
  [/^\/api\/v1\/inbound(\/|$)/, "alerts of other software are counted by their token"],
  [/^\/api\/v1\/billing\/webhook$/, "Stripe repeats what is refused, and signs"],
  [/^\/api\/v1\/(replies\/:provider|twilio)\/:hook$/, "providers repeat what is refused, and sign"],
  [/^\/api\/v1\/health/, "monitoring asks while everything else is refused"],
  [/^\/(metrics)?$/, "asked by monitoring, from memory"],
  [/^\/\.well-known\/acme-challenge\//, "asked by certificate authorities"],
  [/^\/status\/|^\/api\/v1\/public\/status-pages\//, "from a cache, for any number of readers"],
  [/^\/api\/v1\/(openapi\.json|asyncapi\.json|kanmon\.schema\.json|docs)$/, "made once, from memory"],
  [
    /^\/api\/v1\/public\/(channel-confirmations|acknowledgements)\//,
    "mail scanners open the page; its button is counted"
  ]
]

describe("the gate of every endpoint", () => {
  it("has its parts in one order", () => {
    for (const endpoint of endpoints) {
      const places = around(endpoint)
        .map((middleware) => inOrder.indexOf(middleware))
        .toReversed()
      assert.notInclude(places, -1, nameOf(endpoint))
      assert.deepStrictEqual(
        places,
        places.toSorted((one, other) => one - other),
        nameOf(endpoint)
      )
    }
  })

  it("counts the requests of each caller, of a network, a token or an account", () => {
    const counting = [Middleware.Limits, Middleware.AddressLimits, Middleware.Provisioning]
    const free = endpoints.filter((endpoint) => !counting.some((one) => around(endpoint).includes(one)))
    for (const endpoint of free)
      assert.isTrue(
        uncounted.some(([path]) => path.test(endpoint.path)),
        nameOf(endpoint)
      )
    assert.isTrue(
      free.every(
        ({ method, path }) => method !== "POST" || /\/(heartbeat|inbound|billing\/webhook|replies|twilio)/.test(path)
      ),
      "buttons of pages are counted"
    )
    for (const [path, why] of uncounted)
      assert.isTrue(
        free.some((endpoint) => path.test(endpoint.path)),
        why
      )
  })

  it("is the same where the handler reads the request itself", () => {
    const served = new Map(endpointsOf(DirectRoutes).map((endpoint) => [nameOf(endpoint), endpoint]))
    const described = endpointsOf(DirectApi)
    assert.isAbove(described.length, 80)
    assert.sameMembers([...served.keys()], described.map(nameOf))
    for (const endpoint of described)
      assert.deepStrictEqual(around(served.get(nameOf(endpoint))!), around(endpoint), nameOf(endpoint))
  })
})
