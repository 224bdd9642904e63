/**
 * Signs programs in without a password in them (RFC 8628): the program shows a code, a person who is signed in approves it in
 * the browser, and the program fetches its token. The person sees from where the code was asked for, because a stranger could
 * have sent it. Better Auth's own plugin keeps the codes as they are and lets the first visitor claim one; this one does not.
 */
import { boundedText, filledText } from "@kanmon/domain/BoundedText"
import { createHmac, randomBytes } from "node:crypto"
import type { AuthRecord, AuthRecords } from "../../users/index.ts"
import * as Device from "@kanmon/domain/DeviceAuthorization"
import { decodeStrict, type InvalidFields } from "@kanmon/domain/FieldErrors"
import type { ProblemCode } from "@kanmon/domain/ProblemCode"
import { idFrom, type UserId } from "@kanmon/domain/Ids"
import { proofNeeded } from "@kanmon/domain/RecentProof"
import { toIso } from "@kanmon/domain/Timestamp"
import { Clock, Effect, Result, Schema } from "effect"
import { ulidUnsafe } from "effect/crypto/SecureRandom"
import { is, isAfter } from "./Conditions.ts"
import { invalid, problem, type Refusal, signInFirst } from "./ProblemResponses.ts"
import type { ProgramSessions } from "./ProgramSessions.ts"

const codeRoute = "/auth/device/code"
const tokenRoute = "/auth/device/token"
const showRoute = "/auth/device"
const approveRoute = "/auth/device/approve"
const denyRoute = "/auth/device/deny"

/** The routes and their methods. */
export const served: Readonly<Record<string, ReadonlyArray<string>>> = {
  [codeRoute]: ["POST"],
  [tokenRoute]: ["POST"],
  [showRoute]: ["GET"],
  [approveRoute]: ["POST"],
  [denyRoute]: ["POST"]
}

const text = (maximum: number) =>
  filledText(maximum).check(
    // Characters that change the text direction are refused too: they would show the approver another text.
    Schema.isPattern(/^[^\p{Cc}\p{Bidi_Control}]*$/u, { message: "Expected no control characters" })
  )
const grantType = "urn:ietf:params:oauth:grant-type:device_code"

const decodeCode = decodeStrict(
  Schema.Struct({
    client_id: text(64),
    device_name: Schema.optionalKey(text(100)),
    scope: Schema.optionalKey(boundedText(4096))
  })
)
const decodeToken = decodeStrict(
  Schema.Struct({ grant_type: Schema.Literal(grantType), client_id: text(64), device_code: text(100) })
)
const decodeAnswer = decodeStrict(Schema.Struct({ userCode: text(40) }))

/** The session of a browser. */
interface Approver {
  readonly userId: UserId
  readonly email: string
  /** The organization that the session reaches alone; the program gets no more. */
  readonly organizationId: string | null
  /** Whether the person proved a short time ago to own the account: the program keeps its login for long. */
  readonly isProven: boolean
}

export interface Needs {
  readonly records: AuthRecords["Service"]
  readonly sessions: ProgramSessions
  /** The base URL of the API. */
  readonly baseUrl: string
  /** The codes are hashed with it: a user code alone has too few bits. */
  readonly secret: string
  /** Decides on a request and records it, in one transaction. */
  readonly recorded: <A>(
    request: Request,
    approver: Approver,
    action: "account.device_approved" | "account.device_denied",
    program: object,
    decision: Effect.Effect<A>
  ) => Effect.Effect<A>
  /** Records that a program has fetched its token. */
  readonly signedIn: (request: Request, userId: string) => Effect.Effect<void>
  /** The session in the request's cookie. */
  readonly approver: (request: Request) => Effect.Effect<Approver | undefined>
}

export const make = ({ approver, baseUrl, recorded, records, secret, sessions, signedIn }: Needs) => {
  const hashOf = (kind: "device" | "user", code: string): string =>
    createHmac("sha256", secret).update(`device-authorization:${kind}:${code}`).digest("base64url")
  const page = new URL(`${baseUrl}/device`)

  const newUserCode = Effect.sync(() => Device.codeOf(randomBytes(Device.codeBytes))).pipe(
    Effect.repeat({ while: (code) => code === undefined }),
    Effect.map((code) => code!)
  )

  const start = Effect.fnUntraced(function* (request: Request, body: unknown) {
    const decoded = decodeCode(body)
    if (Result.isFailure(decoded)) return unfit(decoded.failure)
    const { client_id: clientId, device_name: name = null } = decoded.success
    const now = yield* Clock.currentTimeMillis
    const deviceCode = randomBytes(32).toString("base64url")
    const userCode = yield* newUserCode
    yield* records.create("deviceCode", {
      id: idFrom("dev", ulidUnsafe()),
      deviceCodeHash: hashOf("device", deviceCode),
      userCodeHash: hashOf("user", userCode),
      clientId,
      name,
      ipAddress: request.headers.get("x-kanmon-client-ip"),
      userAgent: request.headers.get("user-agent")?.slice(0, 500) ?? null,
      status: "pending",
      pollingInterval: Device.firstInterval,
      createdAt: new Date(now),
      expiresAt: new Date(now + Device.codeLifetime * 1000)
    })
    const complete = new URL(page)
    complete.searchParams.set("user_code", Device.shown(userCode))
    return Response.json(
      {
        device_code: deviceCode,
        user_code: Device.shown(userCode),
        verification_uri: page.href,
        verification_uri_complete: complete.href,
        expires_in: Device.codeLifetime,
        interval: Device.firstInterval
      },
      { headers: noStore }
    )
  })

  const fetchToken = Effect.fnUntraced(function* (request: Request, body: unknown) {
    const decoded = decodeToken(body)
    if (Result.isFailure(decoded)) return unfit(decoded.failure)
    const { client_id: clientId, device_code: deviceCode } = decoded.success
    const mine = [is("deviceCodeHash", hashOf("device", deviceCode)), is("clientId", clientId)]
    const [row] = yield* records.find("deviceCode", mine, { limit: 1 })
    if (row === undefined)
      return refusal("invalid_grant", "There is no such request to sign in, or it was used already")
    const now = yield* Clock.currentTimeMillis
    if (millis(row["expiresAt"]) <= now)
      return refusal("expired_token", "The code was not approved in time; start again")
    if (row["status"] === "denied") return refusal("access_denied", "The request to sign in was refused")
    if (row["status"] !== "approved") return yield* wait(row, now)
    // One of several concurrent requests gets the row, and with it the token.
    const [taken] = yield* records.remove("deviceCode", [...mine, is("status", "approved")])
    if (taken === undefined) return refusal("invalid_grant", "The token of this request was fetched already")
    const { expiresAt, token } = yield* sessions.begin(String(taken["userId"]), {
      name: textOf(taken["name"]),
      ipAddress: textOf(taken["ipAddress"]),
      userAgent: textOf(taken["userAgent"]),
      organizationId: textOf(taken["organizationId"])
    })
    yield* signedIn(request, String(taken["userId"]))
    return Response.json(
      { access_token: token, token_type: "Bearer", expires_in: Math.floor((expiresAt.getTime() - now) / 1000) },
      { headers: noStore }
    )
  })

  const wait = Effect.fnUntraced(function* (row: AuthRecord, now: number) {
    const lastPolledAt = row["lastPolledAt"]
    const { next, tooEarly } = Device.asked(
      {
        interval: Number(row["pollingInterval"]),
        lastAskedAt: lastPolledAt instanceof Date ? lastPolledAt.getTime() : undefined
      },
      now
    )
    yield* records.update("deviceCode", [is("id", row["id"]), is("status", "pending")], {
      pollingInterval: next.interval,
      lastPolledAt: new Date(now)
    })
    return tooEarly
      ? refusal("slow_down", `Ask every ${next.interval} seconds at most`)
      : refusal("authorization_pending", "The request has not been approved yet")
  })

  /** The person who decides. */
  const deciding = Effect.fnUntraced(function* (request: Request) {
    const person = yield* approver(request)
    return person === undefined ? Result.fail(signInFirst) : Result.succeed(person)
  })

  /** Finds the request of a code while it can be decided on. */
  const open = Effect.fnUntraced(function* (code: string | undefined) {
    const now = new Date(yield* Clock.currentTimeMillis)
    // No hash of a code is empty.
    const hash = code === undefined ? "" : hashOf("user", code)
    return [is("userCodeHash", hash), is("status", "pending"), isAfter("expiresAt", now)]
  })

  const show = Effect.fnUntraced(function* (request: Request) {
    const person = yield* deciding(request)
    if (Result.isFailure(person)) return problem(person.failure)
    const code = Device.typed(new URL(request.url).searchParams.get("user_code") ?? "")
    const [row] = yield* records.find("deviceCode", yield* open(code), { limit: 1 })
    if (row === undefined || code === undefined) return problem(unknownCode)
    return Response.json({
      userCode: Device.shown(code),
      clientId: row["clientId"],
      name: row["name"] ?? null,
      ipAddress: row["ipAddress"] ?? null,
      userAgent: row["userAgent"] ?? null,
      createdAt: toIso(millis(row["createdAt"])),
      expiresAt: toIso(millis(row["expiresAt"]))
    })
  })

  const answer = (status: "approved" | "denied") =>
    Effect.fnUntraced(function* (request: Request, body: unknown) {
      const person = yield* deciding(request)
      if (Result.isFailure(person)) return problem(person.failure)
      const decoded = decodeAnswer(body)
      if (Result.isFailure(decoded)) return unfit(decoded.failure)
      const { isProven, organizationId, userId } = person.success
      if (status === "approved" && !isProven) return problem(proofNeeded)
      const matching = yield* open(Device.typed(decoded.success.userCode))
      const [row] = yield* records.find("deviceCode", matching, { limit: 1 })
      if (row === undefined) return problem(unknownCode)
      const program = { program: textOf(row["name"]) ?? row["clientId"], address: textOf(row["ipAddress"]) }
      const changed = yield* recorded(
        request,
        person.success,
        status === "approved" ? "account.device_approved" : "account.device_denied",
        program,
        records.update("deviceCode", matching, { status, userId, organizationId })
      )
      return changed.length === 0 ? problem(unknownCode) : Response.json({ status })
    })

  const approve = answer("approved")
  const deny = answer("denied")

  /** Answers a request to one of the routes; undefined for all others. */
  const handle = (route: string, request: Request, body: unknown): Effect.Effect<Response> | undefined => {
    switch (route) {
      case codeRoute:
        return start(request, body)
      case tokenRoute:
        return fetchToken(request, body)
      case showRoute:
        return show(request)
      case approveRoute:
        return approve(request, body)
      case denyRoute:
        return deny(request, body)
      default:
        return undefined
    }
  }

  return { handle }
}

const noStore = { "cache-control": "no-store" }

const unfit = ({ errors }: InvalidFields): Response => problem(invalid(errors))

/** OAuth clients read the code from `error`. */
const refusal = (code: ProblemCode, detail: string): Response => problem({ code, detail, error: code })

const unknownCode: Refusal = {
  code: "not_found",
  detail: "There is no such code: it was mistyped, answered already, or is older than ten minutes"
}

const millis = (date: unknown): number => (date as Date).getTime()

const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null)
