/** Requests of the OpenID Connect client: through the host, under the network policy for the owner of the connection. */
import type { SignOnConnection, SingleSignOnService } from "../SingleSignOn.ts"
import { Effect } from "effect"
import type { CustomFetch } from "openid-client"

/** Documents of identity providers are small; a set of keys may be some dozen kilobytes. */
const limit = 256 * 1024
const patience = "10 seconds"

type Run = <A>(effect: Effect.Effect<A>) => Promise<A>

/** The identity provider did not answer. The message is one sentence that names the host. */
export class ProviderUnreachable extends Error {}

export const make =
  (connection: SignOnConnection, signOn: Pick<SingleSignOnService, "send">, run: Run): CustomFetch =>
  async (url, { body, headers, method }) => {
    const answer = await run(
      signOn
        .send(connection, {
          url: new URL(url),
          method: method === "POST" ? "POST" : "GET",
          headers,
          limit,
          ...(body === null || body === undefined ? {} : { body: String(body) })
        })
        .pipe(
          Effect.map((answer) => ({ answer })),
          Effect.catch(({ message }) => Effect.succeed({ message })),
          Effect.timeoutOrElse({
            duration: patience,
            orElse: () => Effect.succeed({ message: `${new URL(url).host} did not answer within ${patience}` })
          })
        )
    )
    if ("message" in answer) throw new ProviderUnreachable(answer.message)
    const { body: text, headers: received, status } = answer.answer
    return new Response(status === 204 || status === 304 ? null : text, { status, headers: received })
  }
