/**
 * Links with which the operator lets an administrator act as an account, without the administrator signing in first.
 * Opening a link changes nothing. Its button works once, within a minute, and looks both accounts up again.
 */
import type { SignIn } from "../SignIn.ts"
import * as FormPage from "@kanmon/platform/http/FormPage"
import { isAdministrator } from "@kanmon/domain/Administrator"
import { UserId } from "@kanmon/domain/Ids"
import { type Locale, localeFor } from "@kanmon/domain/Locale"
import { codes } from "@kanmon/domain/ProblemCode"
import { Effect, Option, Schema } from "effect"
import { is } from "./Conditions.ts"
import { acceptedBy, type Desk } from "./Desk.ts"
import * as Links from "./Links.ts"
import { invalid, problem } from "./ProblemResponses.ts"
import { isDisabled } from "./Standing.ts"

export const linkRoute = "/auth/impersonation"

/** Validity of a link in milliseconds. */
const lifetime = 60_000

interface Texts {
  readonly title: string
  readonly question: (email: string, administrator: string) => string
  readonly button: string
  readonly invalid: readonly [title: string, ...text: ReadonlyArray<string>]
}

const texts: Readonly<Record<Locale, Texts>> = {
  en: {
    title: "Act as somebody else",
    question: (email, administrator) =>
      `For at most an hour this browser is signed in as ${email}. Your actions are recorded as done by ${administrator}.`,
    button: "Begin",
    invalid: [
      "This link is not valid",
      "It works once, within a minute, while the administrator may act as the account.",
      "kanmon account impersonate makes a new one."
    ]
  },
  de: {
    title: "Als jemand anderes handeln",
    question: (email, administrator) =>
      `Dieser Browser ist höchstens eine Stunde lang als ${email} angemeldet. Ihre Aktionen werden als Aktionen von ${administrator} protokolliert.`,
    button: "Beginnen",
    invalid: [
      "Dieser Link ist nicht gültig",
      "Er gilt einmal, eine Minute lang, solange der Administrator als dieses Konto handeln darf.",
      "kanmon account impersonate erzeugt einen neuen."
    ]
  },
  ja: {
    title: "別のアカウントとして操作",
    question: (email, administrator) =>
      `このブラウザーは最長 1 時間、${email} としてサインインします。操作は ${administrator} によるものとして記録されます。`,
    button: "開始する",
    invalid: [
      "このリンクは無効です",
      "リンクは 1 分以内に 1 回だけ、管理者がそのアカウントとして操作できる間に限り有効です。",
      "kanmon account impersonate で新しいリンクを作成できます。"
    ]
  }
}

const decodeUserId = Schema.decodeUnknownOption(UserId)

export const make = (desk: Desk, begin: SignIn["Service"]["impersonation"]["begin"]) => {
  const { changes, records, settings } = desk
  const links = Links.make(desk.auth)

  /** The account and the administrator, while one may act as the other. */
  const people = Effect.fnUntraced(function* ({ administrator: administratorId, userId }: Links.Link) {
    if (administratorId === undefined) return undefined
    const [account] = yield* records.find("user", [is("id", userId)], { limit: 1 })
    const [administrator] = yield* records.find("user", [is("id", administratorId)], { limit: 1 })
    const [id, by] = [decodeUserId(account?.["id"]), decodeUserId(administrator?.["id"])]
    if (Option.isNone(id) || Option.isNone(by) || isDisabled(account) || isDisabled(administrator)) return undefined
    const isAdmin = (user: typeof account) =>
      isAdministrator(
        {
          email: String(user?.["email"]),
          emailVerified: user?.["emailVerified"] === true,
          isAdmin: user?.["isAdmin"] === true
        },
        settings.adminEmails
      )
    if (isAdmin(account) || !isAdmin(administrator)) return undefined
    return {
      account: { id: id.value, email: String(account?.["email"]) },
      administrator: { id: by.value, email: String(administrator?.["email"]) }
    }
  })

  const invalidLink = (locale: Locale): FormPage.FormPage => {
    const [title, ...paragraphs] = texts[locale].invalid
    return { locale, title, paragraphs }
  }

  /** The address of a new link. */
  const link = Effect.fnUntraced(function* (account: { id: UserId; email: string }, administrator: UserId) {
    const token = yield* links.create(
      "impersonate",
      { userId: account.id, email: account.email, administrator },
      lifetime
    )
    return `${settings.apiUrl}${linkRoute}?token=${token}`
  })

  const show = Effect.fnUntraced(function* (request: Request) {
    const token = new URL(request.url).searchParams.get("token") ?? ""
    const locale = localeFor(undefined, acceptedBy(request))
    const found = yield* links.find("impersonate", token)
    const both = found === undefined ? undefined : yield* people(found)
    if (both === undefined) return page(200, invalidLink(locale))
    const { button, question, title } = texts[locale]
    return page(200, {
      locale,
      title,
      paragraphs: [question(both.account.email, both.administrator.email)],
      form: { fields: [{ type: "hidden", name: "token", value: token }], button }
    })
  })

  const use = Effect.fnUntraced(function* (request: Request, token: string) {
    const isPage = (request.headers.get("accept") ?? "").includes("text/html")
    const taken = yield* links.take("impersonate", token)
    const both = taken === undefined ? undefined : yield* people(taken)
    if (both === undefined) {
      const refusal = invalid([{ path: "token", message: "The link is no longer valid; make a new one" }])
      if (!isPage) return problem(refusal)
      return page(codes[refusal.code].status, invalidLink(localeFor(undefined, acceptedBy(request))))
    }
    const { account, administrator } = both
    const asked = { headers: Object.fromEntries(request.headers) }
    const begun = yield* changes.record(
      { ...desk.change(account, request, "account.impersonated"), by: administrator },
      begin(asked, account.id, administrator.id)
    )
    if (!isPage) return begun
    const headers = new Headers({ location: `${settings.baseUrl}/`, "cache-control": "no-store" })
    for (const cookie of begun.headers.getSetCookie()) headers.append("set-cookie", cookie)
    return new Response(null, { status: 303, headers })
  })

  return { link, show, use }
}

const page = (status: number, content: FormPage.FormPage): Response =>
  new Response(FormPage.html(content), { status, headers: FormPage.headers })
