/**
 * Sessions in which an administrator acts as an account. They are short, are not prolonged, and stay the administrator's: each
 * request looks whether that one still is an administrator. The administrator's own cookie waits in a second one.
 */
import type { ActingRequest } from "../SignIn.ts"
import type { AuthRecords } from "../../users/index.ts"
import type { UserId } from "@kanmon/domain/Ids"
import { serializeSignedCookie } from "better-call"
import { Clock, Effect } from "effect"
import { is } from "./Conditions.ts"
import { problem, type Refusal } from "./ProblemResponses.ts"

/** In seconds. */
const lifetime = 3600

/** The name and the scope of the cookie of a session. */
interface SessionCookie {
  readonly name: string
  readonly path: string
  readonly secure: boolean
}

/** A session by its cookie, as Better Auth finds it. */
export interface FoundSession {
  readonly id: string
  readonly userId: string
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly provenAt?: Date | null | undefined
  readonly impersonatedBy?: string | null | undefined
  /** The organization that the administrator's session is limited to by its identity provider. */
  readonly organizationId?: string | null | undefined
}

/** A session that is begun for an administrator. */
interface NewSession {
  readonly userId: UserId
  readonly expiresAt: Date
  readonly name: string
  readonly impersonatedBy: UserId
  readonly ipAddress: string | null
  readonly userAgent: string | null
}

interface Needs {
  readonly records: AuthRecords["Service"]
  readonly secret: string
  readonly cookie: SessionCookie
  /** Keeps a session and returns its token. */
  readonly begun: (session: NewSession) => Effect.Effect<string>
  /** Finds the session of these cookies. */
  readonly find: (cookies: string) => Effect.Effect<FoundSession | undefined>
  /** Ends the impersonation when the administrator signs out, and records it. */
  readonly signedOut: (
    request: Request,
    session: { readonly userId: string; readonly impersonatedBy: string },
    ending: Effect.Effect<Response>
  ) => Effect.Effect<Response>
  /** The session of these cookies and its account, as people see them. */
  readonly shown: (cookies: string) => Effect.Effect<object | null>
}

export const make = ({ begun, cookie, find, records, secret, shown, signedOut }: Needs) => {
  const waiting = `${cookie.name.replace(/session_token$/, "administrator")}`
  const attributes = { path: cookie.path, httpOnly: true, sameSite: "lax", secure: cookie.secure } as const

  /** A cookie with a value that is signed already, or none. */
  const plain = (name: string, value: string, maxAge: number): string =>
    [
      `${name}=${value}`,
      `Max-Age=${maxAge}`,
      `Path=${cookie.path}`,
      "HttpOnly",
      ...(cookie.secure ? ["Secure"] : []),
      "SameSite=Lax"
    ].join("; ")

  const answer = (body: object, cookies: ReadonlyArray<string>): Response => {
    const response = Response.json(body, { headers: { "cache-control": "no-store" } })
    for (const one of cookies) response.headers.append("set-cookie", one)
    return response
  }

  const begin = Effect.fnUntraced(function* ({ headers }: ActingRequest, target: UserId, administrator: UserId) {
    const now = yield* Clock.currentTimeMillis
    const expiresAt = new Date(now + lifetime * 1000)
    const token = yield* begun({
      userId: target,
      expiresAt,
      name: "An administrator of this installation",
      impersonatedBy: administrator,
      ipAddress: headers["x-kanmon-client-ip"] ?? null,
      userAgent: headers["user-agent"]?.slice(0, 500) ?? null
    })
    const own = valueIn(headers["cookie"], cookie.name)
    const session = yield* Effect.promise(() =>
      serializeSignedCookie(cookie.name, token, secret, { ...attributes, maxAge: lifetime })
    )
    return answer({ userId: target, expiresAt: expiresAt.toISOString() }, [
      session,
      ...(own === undefined ? [] : [plain(waiting, own, lifetime)])
    ])
  })

  const end = Effect.fnUntraced(function* ({ headers }: ActingRequest) {
    const now = yield* Clock.currentTimeMillis
    const session = yield* find(headers["cookie"] ?? "")
    const administrator = session?.impersonatedBy ?? undefined
    if (session !== undefined && administrator !== undefined) yield* records.remove("session", [is("id", session.id)])
    const own = valueIn(headers["cookie"], waiting)
    const restored = own === undefined ? undefined : yield* find(`${cookie.name}=${own}`)
    // A cookie that was planted by somebody else must not restore their session.
    const isOwn = restored !== undefined && administrator !== undefined && restored.userId === administrator
    return answer({ success: true, restored: isOwn }, [
      isOwn && own !== undefined
        ? plain(cookie.name, own, Math.floor((restored.expiresAt.getTime() - now) / 1000))
        : plain(cookie.name, "", 0),
      plain(waiting, "", 0)
    ])
  })

  /** Answers what an administrator asks as an account; undefined for what everybody may, and for everybody else. */
  const guard = Effect.fnUntraced(function* (route: string, request: Request) {
    const cookies = request.headers.get("cookie") ?? ""
    if (!cookies.includes(cookie.name)) return undefined
    const session = yield* find(cookies)
    if (typeof session?.impersonatedBy !== "string") return undefined
    const acting = { userId: session.userId, impersonatedBy: session.impersonatedBy }
    // Read without prolonging it.
    if (route === sessionRoute) return Response.json(yield* shown(cookies))
    if (route === signOutRoute) return yield* signedOut(request, acting, end({ headers: { cookie: cookies } }))
    return problem(notForOthers)
  })

  return { begin, end, guard }
}

const sessionRoute = "/auth/get-session"
const signOutRoute = "/auth/sign-out"

const notForOthers: Refusal = {
  code: "forbidden",
  detail: "Only the person may do this, not an administrator who acts as the account"
}

/** The raw value of a cookie. */
const valueIn = (cookies: string | undefined, name: string): string | undefined => {
  const pair = cookies?.split(/;\s*/).find((one) => one.startsWith(`${name}=`))
  const value = pair?.slice(name.length + 1)
  return value === undefined || !/^[\w%.~+/=-]+$/.test(value) ? undefined : value
}
