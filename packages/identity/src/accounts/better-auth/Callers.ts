/** The account of a session: by the cookie of a browser, by the token of a program, or of an administrator who acts as an account. */
import * as Auth from "@kanmon/core/Auth"
import type { AuthRecord, AuthRecords } from "../../users/index.ts"
import { isAdministrator } from "@kanmon/domain/Administrator"
import { OrganizationId, UserId } from "@kanmon/domain/Ids"
import { normalizeEmail } from "@kanmon/domain/EmailAddress"
import type { SignIn } from "../SignIn.ts"
import { Effect, Option, Schema } from "effect"
import { is } from "./Conditions.ts"
import type { FoundSession } from "./Impersonation.ts"
import { provenAt } from "./Desk.ts"
import type * as ProgramSessions from "./ProgramSessions.ts"
import { ssoRequired } from "./ProblemResponses.ts"
import { disabled, isDisabled } from "./Standing.ts"

const decodeUserId = Schema.decodeUnknownOption(UserId)
const decodeOrganization = Schema.decodeUnknownOption(OrganizationId)

const ended = new Auth.AuthError({ detail: "The session has ended; sign in again" })
const endedLogin = new Auth.AuthError({ detail: "The login has ended or was revoked; sign in again" })

/** Whether a header has this cookie, and not just one with the same ending. */
const hasCookie = (header: string, name: string): boolean =>
  header.split(";").some((pair) => pair.trimStart().startsWith(`${name}=`))

export interface Needs {
  readonly records: AuthRecords["Service"]
  readonly programs: ProgramSessions.ProgramSessions
  readonly adminEmails: ReadonlyArray<string>
  /** The name of the session's cookie. */
  readonly cookieName: string
  /** Finds the session of these cookies, without prolonging it. */
  readonly find: (cookies: string) => Effect.Effect<FoundSession | undefined>
  /** Whether accounts with this address have to sign in through their organization. */
  readonly isEnforced: (email: string) => Effect.Effect<boolean>
}

export const make = ({
  adminEmails,
  cookieName,
  find,
  isEnforced,
  programs,
  records
}: Needs): Pick<SignIn["Service"], "sessions" | "accounts"> => {
  const isAdmin = (user: AuthRecord): boolean =>
    isAdministrator(
      {
        email: String(user["email"]),
        emailVerified: user["emailVerified"] === true,
        isAdmin: user["isAdmin"] === true
      },
      adminEmails
    )

  const userOf = (id: string) => Effect.map(records.find("user", [is("id", id)], { limit: 1 }), ([user]) => user)

  /** The account as a caller, without its session. */
  const account = Effect.fnUntraced(function* (user: AuthRecord | undefined) {
    const userId = decodeUserId(user?.["id"])
    if (user === undefined || Option.isNone(userId)) return yield* ended
    if (isDisabled(user)) return yield* new Auth.AuthError({ detail: disabled.detail })
    return { _tag: "User", userId: userId.value, email: String(user["email"]), name: String(user["name"]) } as const
  })

  const principal = Effect.fnUntraced(function* (
    user: AuthRecord | undefined,
    sessionId: string,
    organization: unknown,
    proof: number
  ) {
    const found = { ...(yield* account(user)), sessionId, provenAt: proof }
    if (organization === null || organization === undefined)
      return { ...found, isAdmin: isAdmin(user!) } satisfies Auth.User
    // The identity provider of an organization cannot grant administration of the installation.
    const confinedTo = Option.getOrUndefined(decodeOrganization(organization))
    if (confinedTo === undefined) return yield* ended
    return { ...found, isAdmin: false, confinedTo } satisfies Auth.User
  })

  const ofToken: SignIn["Service"]["sessions"]["ofToken"] = Effect.fnUntraced(function* (token) {
    const found = yield* programs.find(token)
    if (found === undefined) return yield* endedLogin
    const { createdAt, id, organizationId } = found.session
    const proof = provenAt({ createdAt: createdAt as Date })
    return { ...(yield* principal(found.user, String(id), organizationId, proof)), isProgram: true } satisfies Auth.User
  })

  /** The account as which an administrator acts: while that one is an administrator, and the account is none. */
  const impersonated = Effect.fnUntraced(function* (account: Auth.User, administrator: string) {
    const user = yield* userOf(administrator)
    const userId = decodeUserId(user?.["id"])
    if (user === undefined || Option.isNone(userId) || isDisabled(user) || !isAdmin(user) || account.isAdmin)
      return yield* ended
    return { ...account, impersonator: { userId: userId.value, email: String(user["email"]) } } satisfies Auth.User
  })

  const ofCookies: SignIn["Service"]["sessions"]["ofCookies"] = Effect.fnUntraced(function* (cookie) {
    if (!hasCookie(cookie, cookieName)) return Option.none()
    const session = yield* find(cookie)
    if (session === undefined) return yield* ended
    const user = yield* userOf(session.userId)
    const caller = yield* principal(user, session.id, session.organizationId, provenAt(session))
    const administrator = session.impersonatedBy ?? undefined
    return Option.some(administrator === undefined ? caller : yield* impersonated(caller, administrator))
  })

  /** By an address that somebody else vouches for: never more than an account that proved it, and without a recent proof. */
  const ofAddress: SignIn["Service"]["accounts"]["find"] = Effect.fnUntraced(
    function* (address) {
      const email = normalizeEmail(address)
      const [user] = yield* records.find("user", [is("email", email)], { limit: 1 })
      if (user?.["emailVerified"] !== true) return Option.none()
      const found = yield* account(user)
      if (yield* isEnforced(email)) return yield* new Auth.AuthError({ detail: ssoRequired.detail })
      return Option.some({ ...found, isAdmin: isAdmin(user), provenAt: 0 } satisfies Auth.User)
    },
    Effect.mapError(({ detail }) => new Auth.AuthError({ detail, isVouched: true }))
  )

  return { sessions: { ofCookies, ofToken }, accounts: { find: ofAddress } }
}
