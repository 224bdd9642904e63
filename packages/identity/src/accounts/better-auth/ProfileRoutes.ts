/** The name, language and time zone of an account, and the ways to sign in that an installation offers. */
import { isIP } from "node:net"
import type { SignInMethodsSettings } from "../../sso/index.ts"
import type { SingleSignOnService } from "../../sso/index.ts"
import { Effect } from "effect"
import type { Desk } from "./Desk.ts"
import type * as FirstAccount from "./FirstAccount.ts"
import { invalid, problem } from "./ProblemResponses.ts"

export const updateRoute = "/auth/update-user"
export const methodsRoute = "/auth/methods"

/** The fields of the account that a person can change; at least one is given. */
interface Profile {
  readonly name?: string
  readonly locale?: string | null
  readonly timezone?: string | null
}

export const make = (
  desk: Desk,
  { local, oidc }: SignInMethodsSettings,
  { isFresh, isLocal }: ReturnType<typeof FirstAccount.make>,
  signOn: Pick<SingleSignOnService, "ofAnyOrganization">
) => {
  const { ask, change, mailer, settings, signedIn } = desk

  const update = (request: Request, body: Profile) =>
    signedIn(
      request,
      Effect.fnUntraced(function* (person) {
        const { locale, name, timezone } = body
        if (locale === undefined && name === undefined && timezone === undefined)
          return problem(invalid([{ path: "", message: "Expected a name, a locale or a timezone" }]))
        const before = {
          ...(name === undefined ? {} : { name: person.name }),
          ...(locale === undefined ? {} : { locale: person.chosenLocale }),
          ...(timezone === undefined ? {} : { timezone: person.timezone })
        }
        return (yield* ask(request, {
          expected: {
            write: "update",
            model: "user",
            change: change(person, request, "account.updated", { before, after: body })
          }
        })).response
      })
    )

  const methods = Effect.fnUntraced(function* (request: Request) {
    const { hostname, protocol } = new URL(settings.baseUrl)
    return Response.json({
      password: local,
      // Browsers keep passkeys for names, over HTTPS or on this machine.
      passkeys:
        local && isIP(hostname.replace(/^\[|\]$/g, "")) === 0 && (protocol === "https:" || hostname === "localhost"),
      signUp: local ? settings.signUp : "closed",
      singleSignOn: oidc === undefined ? null : { label: oidc.label },
      organizationSignOn: yield* signOn.ofAnyOrganization,
      mail: mailer.configured,
      firstAccount: (yield* isFresh) ? { needsCode: !isLocal(request) } : null
    })
  })

  return { update, methods }
}
