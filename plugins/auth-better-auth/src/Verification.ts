/**
 * The e-mail that verifies an account's address. The link alone is not enough: the account's password is required, too. So
 * neither a mail scanner that follows links nor the owner of an address that a stranger used can verify the account.
 */
import type { Letter } from "@kanmon/core/AccountMail"
import type * as FormPage from "@kanmon/core/FormPage"
import { createEmailVerificationToken } from "better-auth/api"
import { verifyJWT } from "better-auth/crypto"

/** Validity of a link in hours. */
const hours = 24

export const verifyRoute = "/auth/verify-email"

/** The mail with the link. */
export const letter = async (apiUrl: string, secret: string, email: string): Promise<Letter> => {
  const token = await createEmailVerificationToken(secret, email, undefined, hours * 3600)
  return { kind: "verifyAddress", link: `${apiUrl}${verifyRoute}?token=${token}`, hours }
}

/** The address in a link's token; undefined when the token is invalid or expired. */
export const addressIn = async (token: string, secret: string): Promise<string | undefined> => {
  const payload = await verifyJWT<{ readonly email?: unknown; readonly updateTo?: unknown }>(token, secret)
  return typeof payload?.email === "string" && payload.updateTo === undefined ? payload.email : undefined
}

export const question = (email: string, token: string): FormPage.FormPage => ({
  title: "Verify your e-mail address",
  paragraphs: [
    `Enter the password of the account ${email} to verify its address.`,
    "If you did not create this account, close this page."
  ],
  form: {
    fields: [
      { type: "hidden", name: "email", value: email },
      { type: "hidden", name: "token", value: token },
      { type: "password", name: "password", label: "Password" }
    ],
    button: "Verify"
  }
})

export const done: FormPage.FormPage = {
  title: "Your address is verified",
  paragraphs: ["You can close this page."]
}

export const invalidLink: FormPage.FormPage = {
  title: "This link is not valid",
  paragraphs: ["It is incomplete or older than 24 hours.", "Sign in and request a new one."]
}
