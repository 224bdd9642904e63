/**
 * Sessions of programs, such as `kanmon login`. The token is sent as `Authorization: Bearer` and stored as a hash, so a
 * copy of the database gives no access. The token does not work as a cookie.
 */
import { idFrom } from "@kanmon/domain/Ids"
import { createHash, randomBytes } from "node:crypto"
import type { AuthRecord, AuthRecords } from "../../users/index.ts"
import { tokenLifetimeDays } from "@kanmon/domain/DeviceAuthorization"
import { dayMillis } from "@kanmon/domain/Timestamp"
import { Clock, Effect } from "effect"
import { ulidUnsafe } from "effect/crypto/SecureRandom"
import { is } from "./Conditions.ts"

const pattern = /^Bearer +(kmu_[0-9A-Za-z]{43})$/i

/** The token of a request, if it has one of this kind, valid or not. */
export const tokenIn = (authorization: string | null | undefined): string | undefined =>
  pattern.exec(authorization ?? "")?.[1]

/** The token has 256 random bits, so an unkeyed hash is enough. */
const hashOf = (token: string): string => `sha256:${createHash("sha256").update(token).digest("base64url")}`

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

/** `kmu_` and 32 random bytes in base62. */
const newToken = (): string => {
  let value = BigInt(`0x${randomBytes(32).toString("hex")}`)
  let digits = ""
  for (let place = 0; place < 43; place++) {
    digits = alphabet[Number(value % 62n)]! + digits
    value /= 62n
  }
  return `kmu_${digits}`
}

/** The description of the program. */
export interface Program {
  readonly name: string | null
  readonly ipAddress: string | null
  readonly userAgent: string | null
  /** The organization that it reaches alone; null for all of the account. */
  readonly organizationId: string | null
}

/** A session and its account. */
export interface Found {
  readonly session: AuthRecord
  readonly user: AuthRecord
}

export const make = (records: AuthRecords["Service"]) => {
  const find = Effect.fnUntraced(function* (token: string): Effect.fn.Return<Found | undefined> {
    const [session] = yield* records.find("session", [is("token", hashOf(token))], { limit: 1 })
    if (session === undefined || (session["expiresAt"] as Date).getTime() <= (yield* Clock.currentTimeMillis))
      return undefined
    const [user] = yield* records.find("user", [is("id", session["userId"])], { limit: 1 })
    return user === undefined ? undefined : { session, user }
  })

  /** Starts a session; only its program ever sees the token. */
  const begin = Effect.fnUntraced(function* (userId: string, { ipAddress, name, organizationId, userAgent }: Program) {
    const now = yield* Clock.currentTimeMillis
    const token = newToken()
    const expiresAt = new Date(now + tokenLifetimeDays * dayMillis)
    yield* records.create("session", {
      id: idFrom("ses", ulidUnsafe()),
      userId,
      token: hashOf(token),
      name: name ?? "A program",
      ipAddress,
      userAgent,
      organizationId,
      expiresAt,
      createdAt: new Date(now),
      updatedAt: new Date(now)
    })
    return { token, expiresAt }
  })

  const end = (token: string) => Effect.asVoid(records.remove("session", [is("token", hashOf(token))]))

  return { find, begin, end }
}

export type ProgramSessions = ReturnType<typeof make>

const sessionFields = [
  "id",
  "userId",
  "name",
  "impersonatedBy",
  "organizationId",
  "provenAt",
  "createdAt",
  "updatedAt",
  "expiresAt",
  "ipAddress",
  "userAgent"
]

/** A session and its account as `GET /auth/get-session` returns them, without the token. */
export const shown = (found: Found | undefined, userOf: (row: AuthRecord) => object): object | null =>
  found === undefined
    ? null
    : {
        session: Object.fromEntries(sessionFields.map((field) => [field, found.session[field] ?? null])),
        user: userOf(found.user)
      }
