/**
 * Links, most of them in mails that prove an address. Their tokens are random, stored as digests, expire, and work once. Each belongs to an
 * account and names the addresses that it is about.
 */
import { randomBytes } from "node:crypto"
import { UserId } from "@kanmon/domain/Ids"
import { Clock, Effect, Option, Schema } from "effect"
import type { BetterAuth } from "./BetterAuth.ts"
import { heard } from "./Accidents.ts"

/** Validity of a link in hours. */
export const hours = 24

const Link = Schema.Struct({
  userId: UserId,
  /** The address of the account when the link was sent. */
  email: Schema.String,
  /** The address that it is to get. */
  newEmail: Schema.optionalKey(Schema.String),
  /** The administrator who is to act as the account. */
  administrator: Schema.optionalKey(UserId)
})
export type Link = typeof Link.Type

/** Any text can stand in an address; other texts are not looked up. */
const isToken = /^[\w-]{1,100}$/

export type Purpose = "verify-address" | "change-address" | "impersonate"

// The id comes first, so that all links of an account can be ended together.
const write = (link: Link): string => `${link.userId} ${JSON.stringify(link)}`
const read = Schema.decodeUnknownOption(Schema.fromJsonString(Link))

export const make = (auth: BetterAuth) => {
  const adapter = Effect.map(
    heard(() => auth.$context),
    ({ internalAdapter }) => internalAdapter
  )
  const name = (purpose: Purpose, token: string): string => `${purpose}:${token}`
  const linkIn = (value: string | undefined): Link | undefined =>
    value === undefined ? undefined : Option.getOrUndefined(read(value.slice(value.indexOf(" ") + 1)))

  /** The token of a new link; `lifetime` is in milliseconds. */
  const create = Effect.fnUntraced(function* (purpose: Purpose, link: Link, lifetime = hours * 3_600_000) {
    const token = randomBytes(32).toString("base64url")
    const expiresAt = new Date((yield* Clock.currentTimeMillis) + lifetime)
    const { createVerificationValue } = yield* adapter
    yield* heard(() => createVerificationValue({ identifier: name(purpose, token), value: write(link), expiresAt }))
    return token
  })

  /** The subject of a link; undefined if the link has expired or never existed. */
  const find = Effect.fnUntraced(function* (purpose: Purpose, token: string) {
    if (!isToken.test(token)) return undefined
    const { findVerificationValue } = yield* adapter
    const found = yield* heard(() => findVerificationValue(name(purpose, token)))
    const now = yield* Clock.currentTimeMillis
    return found === null || found.expiresAt.getTime() <= now ? undefined : linkIn(found.value)
  })

  /** Consumes a link. One of several concurrent requests gets it. */
  const take = Effect.fnUntraced(function* (purpose: Purpose, token: string) {
    const { consumeVerificationValue } = yield* adapter
    return linkIn((yield* heard(() => consumeVerificationValue(name(purpose, token))))?.value)
  })

  return { create, find, take }
}
