/** Somebody on call in the demo's shop: has a channel and rules, and acknowledges the alert about card payments. */
import * as HttpRequest from "@kanmon/core/HttpRequest"
import { Data, Effect, Schedule, Schema } from "effect"

class NotYet extends Data.TaggedError("NotYet")<{ readonly status: number }> {}

/** Whether another try may succeed: the server was busy, starting or too slow. */
const isPassing = (error: { readonly _tag: string; readonly status?: number }): boolean =>
  error.status === undefined || error.status === 409 || error.status === 429 || error.status >= 500

/** The API begins to listen later than this, and the alert opens with the next check. */
const retry = Schedule.spaced("1 second")

const Alerts = Schema.fromJsonString(
  Schema.Array(Schema.Struct({ id: Schema.String, monitorId: Schema.String, state: Schema.String }))
)
const Created = Schema.fromJsonString(Schema.Struct({ id: Schema.String }))

export interface Access {
  /** The API's address. */
  readonly api: string
  readonly email: string
  readonly password: string
}

/** Signs in; answers with the cookies of the session. */
export const signIn = ({ api, email, password }: Access) =>
  HttpRequest.send({
    url: new URL(`${api}/auth/sign-in/email`),
    method: "POST",
    headers: { "content-type": "application/json", origin: new URL(api).origin },
    body: JSON.stringify({ email, password })
  }).pipe(
    Effect.timeout("5 seconds"),
    Effect.flatMap(({ headers, status }) => {
      const cookies = headers["set-cookie"]
      return status !== 200 || cookies === undefined
        ? Effect.fail(new NotYet({ status }))
        : // They are joined with commas, which dates in them have too.
          Effect.succeed(cookies.split(/,\s*(?=[^;,\s]+=)/))
    })
  )

/** Sets up the channel and the rules of a new demo, and acknowledges the alert of this monitor. */
export const respond = (access: Access, projectId: string, monitorId: string, hook: string, policyId: string) =>
  Effect.gen(function* () {
    const cookies = yield* Effect.retry(signIn(access), retry)
    const cookie = cookies.map((each) => each.split(";")[0]).join("; ")
    const headers = { cookie, origin: new URL(access.api).origin, "kanmon-project": projectId }
    const list = (path: string) =>
      HttpRequest.send({ url: new URL(`${access.api}${path}`), method: "GET", headers }).pipe(
        Effect.timeout("5 seconds")
      )
    /** A slow machine may answer late: the same request again has the same effect. */
    const create = (path: string, key: string, body: object) =>
      HttpRequest.send({
        url: new URL(`${access.api}${path}`),
        method: "POST",
        headers: { ...headers, "content-type": "application/json", "idempotency-key": `demo-${key}` },
        body: JSON.stringify(body)
      }).pipe(
        Effect.timeout("5 seconds"),
        Effect.filterOrFail(
          ({ status }) => status < 400,
          ({ status }) => new NotYet({ status })
        ),
        Effect.retry({ schedule: retry, while: isPassing })
      )

    const channel = yield* create("/notification-channels", "channel", {
      key: "on-call",
      name: "On-call hook",
      type: "webhook",
      config: { url: hook }
    })
    const { id } = yield* Schema.decodeUnknownEffect(Created)(channel.body)
    yield* create("/alert-rules", "down", {
      key: "down",
      name: "Something is down",
      trigger: "monitor_down",
      consecutiveFailures: 2,
      channelIds: [id],
      escalationPolicyId: policyId,
      resendEvery: 60
    })
    // Its alert stays open, so that the demo has one that pages people.
    yield* create("/alert-rules", "slow", {
      key: "slow",
      name: "Something is slow",
      trigger: "monitor_degraded",
      consecutiveFailures: 2,
      channelIds: [],
      escalationPolicyId: policyId
    })
    const alert = yield* list(`/alerts?monitorId=${monitorId}`).pipe(
      Effect.flatMap(({ body }) => Schema.decodeUnknownEffect(Alerts)(body)),
      Effect.flatMap(([newest]) =>
        newest === undefined ? Effect.fail(new NotYet({ status: 404 })) : Effect.succeed(newest)
      ),
      Effect.retry(retry)
    )
    if (alert.state === "open")
      yield* create(`/alerts/${alert.id}/acknowledge`, "acknowledge", {
        note: "The payment provider works on it; its status page says within the hour."
      })
  }).pipe(
    Effect.catch((error) => Effect.logWarning("The demo's alert could not be acknowledged", error)),
    Effect.withSpan("OnCall.respond")
  )
