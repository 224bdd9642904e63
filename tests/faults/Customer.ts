/**
 * Somebody who works with both APIs, one after the other, whatever happens to them. A request that nobody answered is sent
 * again to the other one under the same idempotency key: what was accepted is there once in the end.
 */
import { Effect } from "effect"

interface CustomerResponse {
  readonly status: number
  readonly body: any
}

export interface Customer {
  /** One request to the API whose turn it is; undefined when it did not answer. */
  readonly call: (
    method: string,
    route: string,
    body?: unknown,
    key?: string
  ) => Effect.Effect<CustomerResponse | undefined>
  /** The same until it is answered, by the one API or the other. */
  readonly insist: (method: string, route: string, body?: unknown, key?: string) => Effect.Effect<CustomerResponse>
}

/** How long an answer is waited for: longer than a fault of what the API stands on lasts. */
const timeoutMillis = 8000

export const make = (apis: ReadonlyArray<string>): Effect.Effect<Customer> =>
  Effect.gen(function* () {
    let turn = 0
    let headers: Record<string, string> = {}
    const call: Customer["call"] = (method, route, body, key) =>
      Effect.promise(async () => {
        const base = apis[turn++ % apis.length]!
        try {
          const response = await fetch(`${base}${route}`, {
            method,
            headers: {
              ...headers,
              ...(body === undefined ? {} : { "content-type": "application/json" }),
              ...(key === undefined ? {} : { "idempotency-key": key })
            },
            ...(body === undefined ? {} : { body: JSON.stringify(body) }),
            signal: AbortSignal.timeout(timeoutMillis)
          })
          const text = await response.text()
          const cookies = response.headers.getSetCookie().map((one) => one.split(";")[0])
          if (cookies.length > 0) headers = { cookie: cookies.join("; ") }
          return { status: response.status, body: text === "" ? null : JSON.parse(text) }
        } catch {
          return undefined
        }
      })
    const insist: Customer["insist"] = (method, route, body, key) =>
      Effect.flatMap(call(method, route, body, key), (answer) =>
        answer === undefined || answer.status >= 500
          ? Effect.andThen(Effect.sleep("200 millis"), insist(method, route, body, key))
          : Effect.succeed(answer)
      )
    yield* insist("POST", "/auth/sign-up/email", {
      name: "Ada",
      email: "ada@example.org",
      password: "correct horse battery"
    })
    const projects = yield* insist("GET", "/projects")
    headers = { "x-api-key": projects.body[0].apiKey }
    return { call, insist }
  })

export interface Work {
  /** Names of the monitors whose creation was accepted. */
  readonly accepted: Array<string>
  /** Requests that were not answered, or with an error of the server's. */
  unanswered: number
  answered: number
}

/** Creates and reads monitors until interrupted, and writes down what was accepted. */
export const work = (customer: Customer, url: string, done: Work): Effect.Effect<never> => {
  let next = 0
  const count = (answer: CustomerResponse | undefined): void => {
    if (answer === undefined || answer.status >= 500) done.unanswered++
    else done.answered++
  }
  return Effect.forever(
    Effect.gen(function* () {
      const name = `work-${next++}`
      for (;;) {
        const made = yield* customer.call("POST", "/monitors", { name, type: "http", url, interval: 3600 }, name)
        count(made)
        if (made?.status === 201) {
          done.accepted.push(name)
          count(yield* customer.call("GET", `/monitors/${made.body.id}`))
          break
        }
        yield* Effect.sleep("200 millis")
      }
      count(yield* customer.call("GET", "/monitors?limit=10"))
      yield* Effect.sleep("300 millis")
    })
  )
}
