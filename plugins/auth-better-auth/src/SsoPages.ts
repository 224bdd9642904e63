/** The pages that a person sees on the way through an identity provider, when the way does not lead straight on. */
import * as FormPage from "@kanmon/core/FormPage"
import type { TestOutcome } from "@kanmon/core/SingleSignOn"

export const respond = (
  status: number,
  page: FormPage.FormPage,
  headers: Readonly<Record<string, string>> = {}
): Response => new Response(FormPage.html(page), { status, headers: { ...FormPage.headers, ...headers } })

/** `home` is the address of the dashboard. */
export const refused = (detail: string, home: string): FormPage.FormPage => ({
  title: "You are not signed in",
  paragraphs: [detail, "If it happens again, send this page to whoever set single sign-on up."],
  link: { href: home, label: "Back to the sign-in page" }
})

export const lost = (home: string): FormPage.FormPage =>
  refused(
    "This sign-in was not begun in this browser, took longer than ten minutes, or is over already. Begin it again from the sign-in page of Kanmon: answers that nobody asked for are refused.",
    home
  )

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

/** What a test showed. Everything is shown as it was received. */
export const tested = ({ claims, problem }: TestOutcome, conclusion: string): FormPage.FormPage => ({
  title: problem === undefined ? "The test sign-in succeeded" : "The test sign-in failed",
  paragraphs: [
    ...(problem === undefined ? [] : [problem]),
    ...(conclusion === "" ? [] : [conclusion]),
    "Nothing was changed, and nobody was signed in. This is everything that the identity provider said:"
  ],
  details: Object.entries(claims).map(([name, value]) => [
    name,
    typeof value === "string" ? value : JSON.stringify(value, undefined, 2)
  ])
})
