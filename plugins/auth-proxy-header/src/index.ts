/**
 * Authenticates an account by a header in which a proxy in front says who its visitor is. The header counts only in connections from
 * the configured proxies; from elsewhere it is as if it were not there. Off until both settings are set.
 */
import * as Auth from "@kanmon/core/Auth"
import * as Plugin from "@kanmon/core/Plugin"
import { ProvenAccounts } from "@kanmon/core/ProvenAccounts"
import { isEmailAddress } from "@kanmon/domain/EmailAddress"
import { Effect, Option, Schema } from "effect"
import { includes, TrustedProxies } from "./TrustedProxies.ts"

const HeaderName = Schema.String.check(
  Schema.isPattern(/^[A-Za-z][A-Za-z0-9-]{0,62}$/, { message: "Expected the name of a header such as Remote-Email" })
)

const settings = Schema.Struct({
  KANMON_AUTH_PROXY_HEADER: Schema.optionalKey(HeaderName),
  KANMON_AUTH_PROXY_ADDRESSES: Schema.optionalKey(TrustedProxies)
}).check(
  Schema.makeFilter((given) => {
    const missing = (["KANMON_AUTH_PROXY_HEADER", "KANMON_AUTH_PROXY_ADDRESSES"] as const).filter(
      (name) => given[name] === undefined
    )
    return missing.length === 1
      ? { path: missing, issue: "Expected a value: both settings are set, or neither" }
      : undefined
  })
)

const refused = (detail: string) => new Auth.AuthError({ detail, isVouched: true })

const proxyHeader = Auth.define({
  name: "proxy-header",
  summary: "Authenticates an account by the e-mail address that a trusted proxy sends in a header.",
  settings,
  authenticate: Effect.fnUntraced(function* (
    { headers, peer }: Auth.AuthRequest,
    { KANMON_AUTH_PROXY_ADDRESSES: proxies, KANMON_AUTH_PROXY_HEADER: header }: typeof settings.Type
  ) {
    if (header === undefined || proxies === undefined || !includes(proxies, peer)) return Option.none()
    const email = headers[header.toLowerCase()] ?? ""
    if (email === "") return Option.none()
    if (!isEmailAddress(email)) return yield* refused(`The proxy sent no e-mail address in the header ${header}`)
    const found = yield* (yield* ProvenAccounts).find(email)
    if (Option.isNone(found))
      return yield* refused(
        "No account has verified the e-mail address that the proxy sent: sign up with it, and use the link in the mail"
      )
    return found
  })
})

export default Plugin.define({ name: "@kanmon/auth-proxy-header", contract: 1, auths: [proxyHeader] })
