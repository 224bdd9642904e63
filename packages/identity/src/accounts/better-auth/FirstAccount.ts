/**
 * The first account of a new installation becomes its administrator when it is made from the machine itself, or with the code that
 * the server prints while there is no account.
 */
import { createHash, timingSafeEqual } from "node:crypto"
import { isIP } from "node:net"
import { UserId } from "@kanmon/domain/Ids"
import { normalizeSetupCode } from "@kanmon/domain/SetupCode"
import { Effect, Option, Redacted, Schema } from "effect"
import { is } from "./Conditions.ts"
import type { Desk } from "./Desk.ts"
import { invalid, problem } from "./ProblemResponses.ts"

/** Headers that proxies add. Visitors behind a proxy are remote even if the connection is local. */
const forwarded = ["x-forwarded-for", "x-forwarded-host", "x-real-ip", "forwarded", "via"]

const isLoopback = (host: string): boolean => {
  const bare = host.replaceAll(/[[\]]/g, "")
  return bare === "localhost" || bare === "::1" || (isIP(bare) === 4 && bare.startsWith("127."))
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest()

export const make = ({ change, changes, records, settings: { apiUrl, setupCode } }: Desk) => {
  let hasAccounts = false

  /** Whether the installation has no account yet. Asked of the database until somebody has. */
  const isFresh = Effect.suspend(() =>
    hasAccounts
      ? Effect.succeed(false)
      : Effect.map(records.count("user", []), (count) => {
          hasAccounts = count > 0
          return !hasAccounts
        })
  )

  /** Whether a request comes from a browser of this machine, to an installation that is addressed there. */
  const isLocal = (request: Request): boolean =>
    isLoopback(new URL(apiUrl).hostname) &&
    isLoopback(request.headers.get("x-kanmon-client-ip") ?? "") &&
    forwarded.every((name) => !request.headers.has(name))

  const isCode = (typed: string): boolean =>
    setupCode !== undefined &&
    timingSafeEqual(digest(normalizeSetupCode(typed)), digest(normalizeSetupCode(Redacted.value(setupCode))))

  /** Whether the account is the first one of all, also of those that were made at the same time. */
  const isFirst = Effect.fnUntraced(function* (id: string) {
    const [first, second] = yield* records.find("user", [], {
      limit: 2,
      sortBy: { field: "createdAt", direction: "asc" }
    })
    return first?.["id"] === id && second === undefined
  })

  /** Signs up. The first account becomes an administrator if the operator makes it. */
  const begin = Effect.fnUntraced(function* (
    request: Request,
    email: string,
    typed: string | undefined,
    signUp: (request: Request, email: string) => Effect.Effect<Response>
  ) {
    const wasFresh = yield* isFresh
    if (wasFresh && typed !== undefined && !isCode(typed)) return problem(wrongCode)
    const answer = yield* signUp(typed === undefined ? request : yield* withoutCode(request), email)
    if (!wasFresh || !answer.ok || (typed === undefined && !isLocal(request))) return answer
    const [user] = yield* records.find("user", [is("email", email)])
    const id = decodeUserId(user?.["id"])
    if (Option.isSome(id) && (yield* isFirst(id.value)))
      yield* changes.record(
        change({ id: id.value, email }, request, "account.admin_granted"),
        records.update("user", [is("id", id.value)], { isAdmin: true })
      )
    return answer
  })

  return { isFresh, isLocal, begin }
}

const decodeUserId = Schema.decodeUnknownOption(UserId)

const wrongCode = invalid([
  { path: "setupCode", message: "Expected the setup code that the server prints when it starts" }
])

/** Better Auth does not know the field. */
const withoutCode = (request: Request): Effect.Effect<Request> =>
  Effect.promise(async () => {
    const { setupCode: _, ...body } = (await request.clone().json()) as Readonly<Record<string, unknown>>
    return new Request(request, { method: "POST", body: JSON.stringify(body) })
  })
