/** Who makes a request: the account of a session by its cookie, a program's by its token, or an administrator as an account. */
import * as Auth from "@kanmon/core/Auth"
import type { AuthRecord, AuthRecords } from "@kanmon/core/AuthRecords"
import { isAdministrator } from "@kanmon/domain/Administrator"
import { OrganizationId, UserId } from "@kanmon/domain/Ids"
import { Effect, Option, Schema } from "effect"
import { is } from "./Conditions.ts"
import type { FoundSession } from "./Impersonation.ts"
import { provenAt } from "./Desk.ts"
import * as ProgramSessions from "./ProgramSessions.ts"
import { disabled, isDisabled } from "./Standing.ts"

const decodeUserId = Schema.decodeUnknownOption(UserId)
const decodeOrganization = Schema.decodeUnknownOption(OrganizationId)

const ended = new Auth.AuthError({ detail: "The session has ended; sign in again" })
const endedLogin = new Auth.AuthError({ detail: "The login has ended or was revoked; sign in again" })

/** Whether a header has this cookie, and not just one whose name ends alike. */
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
}

export const make = ({ adminEmails, cookieName, find, programs, records }: Needs) => {
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

  const principal = Effect.fnUntraced(function* (
    user: AuthRecord | undefined,
    sessionId: string,
    organization: unknown,
    proof: number
  ) {
    const userId = decodeUserId(user?.["id"])
    if (user === undefined || Option.isNone(userId)) return yield* ended
    if (isDisabled(user)) return yield* new Auth.AuthError({ detail: disabled.detail })
    const [email, name] = [String(user["email"]), String(user["name"])]
    const account = { _tag: "User", userId: userId.value, email, name, sessionId, provenAt: proof } as const
    if (organization === null || organization === undefined)
      return { ...account, isAdmin: isAdmin(user) } satisfies Auth.User
    // The provider of an organization makes nobody an administrator of the installation.
    const confinedTo = Option.getOrUndefined(decodeOrganization(organization))
    if (confinedTo === undefined) return yield* ended
    return { ...account, isAdmin: false, confinedTo } satisfies Auth.User
  })

  /** Authenticates a program by its token. A cookie that comes with it counts for nothing. */
  const program = Effect.fnUntraced(function* (authorization: string) {
    const token = ProgramSessions.tokenIn(authorization)
    const found = token === undefined ? undefined : yield* programs.find(token)
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

  const authenticate = Effect.fnUntraced(function* (
    request: Auth.AuthRequest
  ): Effect.fn.Return<Option.Option<Auth.Principal>, Auth.AuthError> {
    const { authorization, cookie } = request.headers
    if (authorization !== undefined && ProgramSessions.isClaimed(authorization))
      return Option.some(yield* program(authorization))
    if (cookie === undefined || !hasCookie(cookie, cookieName)) return Option.none()
    const session = yield* find(cookie)
    if (session === undefined) return yield* ended
    const account = yield* principal(
      yield* userOf(session.userId),
      session.id,
      session.organizationId,
      provenAt(session)
    )
    const administrator = session.impersonatedBy ?? undefined
    return Option.some(administrator === undefined ? account : yield* impersonated(account, administrator))
  })

  return { authenticate }
}
