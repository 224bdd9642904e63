/**
 * Routes that verify and change the address of an account. An address changes once the new one is confirmed. Better
 * Auth's own route would start a session for the person who opens the link, without a second factor, and its links work
 * many times. These routes start no session, and a link works once.
 */
import * as FormPage from "@kanmon/platform/http/FormPage"
import { EmailAddress, normalizeEmail } from "@kanmon/domain/EmailAddress"
import { type Locale, localeFor } from "@kanmon/domain/Locale"
import { codes } from "@kanmon/domain/ProblemCode"
import { Clock, Effect, Exit, Result, Schema } from "effect"
import * as Pages from "./AddressPages.ts"
import { is } from "./Conditions.ts"
import { acceptedBy, type Desk, type Person, readerOf, unproven } from "./Desk.ts"
import * as Links from "./Links.ts"
import { conflict, invalid, problem, type Refusal, unauthorized, wrongPassword } from "./ProblemResponses.ts"
import type * as SsoGate from "./SsoGate.ts"

export const sendVerificationRoute = "/auth/send-verification-email"
export const verifyRoute = "/auth/verify-email"
export const changeRoute = "/auth/change-email"
export const confirmRoute = "/auth/confirm-email"

const isAddress = Schema.is(EmailAddress)

export const make = (desk: Desk, gate: Pick<SsoGate.Gate, "mayMove">) => {
  const { change, changes, endChallenges, hashOf, isPassword, mail, notify, records, settings, signedIn } = desk
  const links = Links.make(desk.auth)

  const sendVerification = Effect.fnUntraced(function* (
    { email, id }: Pick<Person, "id" | "email">,
    locale: Locale,
    request: Request
  ) {
    const token = yield* links.create("verify-address", { userId: id, email })
    const link = `${settings.apiUrl}${verifyRoute}?token=${token}`
    yield* mail(email, { kind: "verifyAddress", link, hours: Links.hours }, locale, "asked", request)
  })

  const sendAgain = (request: Request) =>
    signedIn(
      request,
      Effect.fnUntraced(function* (person) {
        if (person.emailVerified) return problem({ code: "conflict", detail: "The address is already verified" })
        const sent = yield* Effect.result(sendVerification(person, person.locale, request))
        if (Result.isSuccess(sent)) return Response.json({ status: true })
        const { reason } = sent.failure
        return problem(
          reason._tag === "Throttled"
            ? { code: "rate_limited", detail: reason.detail, retryAfter: reason.retryAfter ?? 60 }
            : { code: "delivery_failed", detail: reason.detail }
        )
      })
    )

  /** Whether the session is the account's own: an identity provider of an organization does not move the account. */
  const isOwner = (request: Request, userId: string) =>
    Effect.map(desk.person(request), (person) => person?.id === userId && person.confinedTo === null)

  const show = Effect.fnUntraced(function* (request: Request, asks: Pages.Asks) {
    const token = new URL(request.url).searchParams.get("token") ?? ""
    const locale = localeFor(undefined, acceptedBy(request))
    const link = yield* links.find(purposeOf[asks], token)
    if (link === undefined) return page(200, Pages.invalidLink(locale))
    const isTheirs = asks === "change" && (yield* isOwner(request, link.userId))
    const shown = { email: link.email, shown: link.newEmail ?? link.email, token }
    return page(200, Pages.question(locale, asks, shown, { askPassword: !isTheirs }))
  })

  /** Uses a link. The caller also needs the account's password or, to confirm a new address, its session. */
  const use = Effect.fnUntraced(function* (
    request: Request,
    asks: Pages.Asks,
    body: { readonly email?: string; readonly password?: string; readonly token?: string }
  ) {
    const { email, password, token = "" } = body
    const locale = localeFor(undefined, acceptedBy(request))
    const answer = (refusal: Refusal, shown: FormPage.FormPage) =>
      wantsPage(request) ? page(codes[refusal.code].status, shown) : problem(refusal)
    const over = answer(invalid([{ path: "token", message: overMessage }]), Pages.invalidLink(locale))
    const link = yield* links.find(purposeOf[asks], token)
    const [user] = link === undefined ? [] : yield* records.find("user", [is("id", link.userId)])
    if (link === undefined || user?.["email"] !== link.email) return over
    if (email !== undefined && normalizeEmail(email) !== link.email) return over
    const shown = { email: link.email, shown: link.newEmail ?? link.email, token }
    const isTheirs = asks === "change" && password === undefined && (yield* isOwner(request, link.userId))
    if (!isTheirs) {
      const proof = Effect.flatMap(hashOf(link.userId), (hash) => isPassword(hash, password ?? ""))
      // Guesses on verification are counted by the host, as those at sign-in: the body names the address.
      const refusal = yield* asks === "verify"
        ? Effect.map(proof, (isRight) => (isRight ? undefined : unauthorized))
        : desk.refusalOf(link.email, request, proof)
      if (refusal !== undefined)
        return answer(refusal, Pages.question(locale, asks, shown, { askPassword: true, wasWrong: true }))
    }
    if (link.newEmail !== undefined && !(yield* gate.mayMove(link.userId, { from: link.email, to: link.newEmail })))
      return answer(bound, Pages.invalidLink(locale))
    const taken = yield* links.take(purposeOf[asks], token)
    if (taken === undefined) return over
    const exit = yield* Effect.exit(asks === "verify" ? verified(request, taken) : changed(request, taken))
    if (Exit.isFailure(exit)) {
      // Somebody else took the address in the meantime.
      if (taken.newEmail !== undefined && (yield* records.count("user", [is("email", taken.newEmail)])) > 0)
        return answer(conflict, Pages.invalidLink(locale))
      return yield* Effect.failCause(exit.cause)
    }
    return wantsPage(request) ? page(200, Pages.done(locale)) : Response.json({ status: true })
  })

  const verified = Effect.fnUntraced(function* (request: Request, { email, userId }: Links.Link) {
    const now = new Date(yield* Clock.currentTimeMillis)
    const entry = change({ id: userId, email }, request, "account.email_verified", {
      before: { emailVerified: false },
      after: { emailVerified: true }
    })
    yield* changes.record(
      entry,
      records.update("user", [is("id", userId), is("email", email)], { emailVerified: true, updatedAt: now })
    )
  })

  const changed = Effect.fnUntraced(function* (request: Request, { email, newEmail = email, userId }: Links.Link) {
    const now = new Date(yield* Clock.currentTimeMillis)
    const entry = change({ id: userId, email: newEmail }, request, "account.updated", {
      before: { email },
      after: { email: newEmail }
    })
    const [user] = yield* changes.record(
      entry,
      records.update("user", [is("id", userId), is("email", email)], {
        email: newEmail,
        emailVerified: true,
        updatedAt: now
      })
    )
    // Links to the former address must not work any more.
    yield* endChallenges(userId)
    yield* notify(email, { kind: "addressChanged", newAddress: newEmail }, readerOf(user))
  })

  /** Answers before it looks whether the new address has an account already. */
  const requestChange = (request: Request, body: { readonly newEmail?: string; readonly password?: string }) =>
    signedIn(
      request,
      Effect.fnUntraced(function* (person) {
        const newEmail = normalizeEmail(body.newEmail ?? "")
        if (!isAddress(newEmail) || newEmail === person.email)
          return problem(invalid([{ path: "newEmail", message: "Expected another e-mail address" }]))
        if (!(yield* gate.mayMove(person.id, { from: person.email, to: newEmail }))) return problem(bound)
        const { password } = body
        if (password === undefined) {
          const refusal = unproven(person)
          if (refusal !== undefined) return problem(refusal)
        } else {
          const proof = Effect.flatMap(hashOf(person.id), (hash) => isPassword(hash, password))
          const refusal = yield* desk.refusalOf(person.email, request, proof)
          if (refusal !== undefined) return problem(refusal === unauthorized ? wrongPassword : refusal)
        }
        yield* changes.record(change(person, request, "account.email_change_requested"), Effect.void)
        yield* Effect.forkDetach(desk.attempted(sendChange(person, newEmail, request)))
        return Response.json({ status: true })
      })
    )

  const sendChange = Effect.fnUntraced(function* (person: Person, newEmail: string, request: Request) {
    yield* notify(person.email, { kind: "newAddressRequested", newAddress: newEmail }, person)
    if ((yield* records.count("user", [is("email", newEmail)])) > 0) return
    const token = yield* links.create("change-address", { userId: person.id, email: person.email, newEmail })
    const link = `${settings.apiUrl}${confirmRoute}?token=${token}`
    yield* mail(newEmail, { kind: "confirmNewAddress", link, hours: Links.hours }, person.locale, "asked", request)
  })

  return { sendVerification, sendAgain, show, use, requestChange }
}

const purposeOf: Readonly<Record<Pages.Asks, Links.Purpose>> = { verify: "verify-address", change: "change-address" }

/** With another address, people would go on signing in after their organization has taken them out of its directory. */
const bound: Refusal = {
  code: "sso_required",
  detail:
    "The organization of your e-mail address requires single sign-on, so the account keeps an address for which that is required"
}

const overMessage = "The link is no longer valid; ask for a new one"

/** Whether a browser posted a form. */
const wantsPage = (request: Request): boolean => (request.headers.get("accept") ?? "").includes("text/html")

const page = (status: number, content: FormPage.FormPage): Response =>
  new Response(FormPage.html(content), { status, headers: FormPage.headers })
