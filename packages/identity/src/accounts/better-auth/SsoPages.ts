/** The pages that a person sees on the way through an identity provider, when the way does not lead straight on. */
import * as FormPage from "@kanmon/platform/http/FormPage"
import type { TestOutcome } from "../../sso/index.ts"
import type { Locale } from "@kanmon/domain/Locale"

export const respond = (
  status: number,
  page: FormPage.FormPage,
  headers: Readonly<Record<string, string>> = {}
): Response => new Response(FormPage.html(page), { status, headers: { ...FormPage.headers, ...headers } })

/** `home` is the address of the dashboard. */
export const refused = (detail: string, home: string): FormPage.FormPage => ({
  title: "You are not signed in",
  paragraphs: [detail, "If it happens again, send this page to the administrator of single sign-on."],
  link: { href: home, label: "Back to the sign-in page" }
})

export const lost = (home: string): FormPage.FormPage =>
  refused(
    "This sign-in was started in another browser, took longer than ten minutes, or has already ended. Start again on the sign-in page of Kanmon. Responses without a request are refused.",
    home
  )

/** `name` is the organization or the operator's label of its provider, `href` the address that goes on. */
export const begin = (locale: Locale, name: string, href: string): FormPage.FormPage => {
  const { detail, label, title } = beginTexts[locale](name)
  return { locale, title, paragraphs: [detail], link: { href, label } }
}

const beginTexts: Readonly<
  Record<Locale, (name: string) => { readonly title: string; readonly detail: string; readonly label: string }>
> = {
  en: (name) => ({
    title: `Continue with ${name}?`,
    detail:
      "The identity provider decides as whom you are signed in. Go on only if you wanted to sign in there; otherwise close this page.",
    label: "Go on"
  }),
  de: (name) => ({
    title: `Weiter mit ${name}?`,
    detail:
      "Der Identitätsanbieter bestimmt, mit welchem Konto Sie angemeldet werden. Fahren Sie nur fort, wenn Sie sich dort anmelden wollten; schließen Sie sonst diese Seite.",
    label: "Weiter"
  }),
  ja: (name) => ({
    title: `${name} で続けますか？`,
    detail:
      "誰としてサインインするかは ID プロバイダーが決めます。ご自身でサインインしようとした場合だけ続け、そうでなければこのページを閉じてください。",
    label: "続ける"
  })
}

export const passwordQuestion = (email: string, code: string): FormPage.FormPage => ({
  title: "Connect your account",
  paragraphs: [
    `There is an account for ${email} already, and its address was never verified. Enter its password once to connect it with single sign-on.`,
    "If you do not know the password, somebody else may have taken the address: ask the operator of this installation."
  ],
  form: {
    fields: [
      { type: "hidden", name: "email", value: email },
      { type: "hidden", name: "code", value: code },
      { type: "password", name: "password", label: "Password" }
    ],
    button: "Connect"
  }
})

/** The result of a test. Everything is shown as it was received. */
export const tested = ({ claims, problem }: TestOutcome, conclusion: string): FormPage.FormPage => ({
  title: problem === undefined ? "The test sign-in succeeded" : "The test sign-in failed",
  paragraphs: [
    ...(problem === undefined ? [] : [problem]),
    ...(conclusion === "" ? [] : [conclusion]),
    "Nothing was changed, and no session was started. The identity provider sent the following:"
  ],
  details: Object.entries(claims).map(([name, value]) => [
    name,
    typeof value === "string" ? value : JSON.stringify(value, undefined, 2)
  ])
})
