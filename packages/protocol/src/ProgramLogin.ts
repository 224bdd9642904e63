/**
 * Signs a program in (RFC 8628) and out, as `kanmon login` does. Other tools can use it too. The token that it returns
 * is the option `token` of the clients.
 */
import { Clock, Duration, Effect, Schema } from "effect"
import { HttpClient, HttpClientRequest, HttpClientResponse } from "effect/http"
import { Account, Session } from "./AccountBody.ts"
import { basePath } from "./BasePath.ts"
import { DeviceCode, deviceGrantType, DeviceToken } from "./DeviceApi.ts"
import * as KanmonError from "./KanmonError.ts"
import * as Transport from "./internal/Transport.ts"

/** Codes of a program's request to sign in. */
export type Codes = typeof DeviceCode.Type

/** The token of a program, and for how long it is valid. */
export type Token = typeof DeviceToken.Type

const SignedIn = Schema.NullOr(Schema.Struct({ session: Session, user: Account }))

/** Names the program. */
export interface Program {
  /** Such as `kanmon-cli`. */
  readonly clientId: string
  /** The name of its session in the list of sessions. */
  readonly deviceName: string
}

/** How long to wait when the server does not say it, or cannot be reached. */
const patience = 5

/** The calls, on the given `HttpClient`. */
export const make = (options: Transport.ClientOptions) =>
  Effect.map(HttpClient.HttpClient, (http) => {
    const client = Transport.make(http, options)
    const url = (route: string) => `${Transport.addressOf(options.baseUrl)}${basePath}/auth${route}`

    const bodyOf =
      <A, I>(schema: Schema.Codec<A, I>) =>
      (response: HttpClientResponse.HttpClientResponse): Effect.Effect<A, KanmonError.KanmonError> =>
        response.status < 200 || response.status >= 300
          ? Effect.fail(KanmonError.unreadable(response))
          : Effect.mapError(HttpClientResponse.schemaBodyJson(schema)(response), (error) =>
              error._tag === "HttpClientError" ? KanmonError.ofClient(error) : KanmonError.unfit(error)
            )

    const failing = Effect.mapError((error: Parameters<typeof KanmonError.ofClient>[0] | KanmonError.KanmonError) =>
      error._tag === "HttpClientError" ? KanmonError.ofClient(error) : error
    )

    const post = <A, I>(route: string, body: Schema.JsonObject, schema: Schema.Codec<A, I>) =>
      Effect.flatMap(
        failing(client.execute(HttpClientRequest.bodyJsonUnsafe(HttpClientRequest.post(url(route)), body))),
        bodyOf(schema)
      )

    /** Asks for codes, which a person approves in the browser. */
    const start = ({ clientId, deviceName }: Program) =>
      post("/device/code", { client_id: clientId, device_name: deviceName }, DeviceCode)

    /** Waits until the person has answered; fails when they refused, or when the codes have expired. */
    const token = Effect.fnUntraced(function* (
      { clientId }: Program,
      { device_code, expires_in, interval }: Codes
    ): Effect.fn.Return<Token, KanmonError.KanmonError> {
      const asked = { grant_type: deviceGrantType, client_id: clientId, device_code }
      const until = (yield* Clock.currentTimeMillis) + expires_in * 1000
      let seconds = interval
      for (;;) {
        yield* Effect.sleep(Duration.seconds(seconds))
        const answer = yield* Effect.result(post("/device/token", asked, DeviceToken))
        if (answer._tag === "Success") return answer.success
        const { code, retryAfter = patience } = answer.failure
        if (code === "slow_down") seconds += 5
        else if (code === "rate_limited") yield* Effect.sleep(Duration.seconds(retryAfter))
        // A connection may fail for a while; the codes stay valid.
        else if (code !== "authorization_pending" && code !== "unreachable") return yield* answer.failure
        if ((yield* Clock.currentTimeMillis) >= until) return yield* answer.failure
      }
    })

    /** The account of the token; null when it is no longer valid. */
    const session = Effect.flatMap(failing(client.get(url("/get-session"))), bodyOf(SignedIn))

    /** Ends the session of the token. */
    const signOut = Effect.asVoid(post("/sign-out", {}, Schema.Unknown))

    return { start, token, session, signOut }
  })
