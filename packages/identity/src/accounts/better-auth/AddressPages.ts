/**
 * The pages behind links that prove an address, in the reader's language. Opening one changes nothing, and the link alone is
 * not enough: the account's password or session is required, too. So neither a mail scanner that follows links nor the owner of
 * an address that a stranger entered can confirm it.
 */
import type * as FormPage from "@kanmon/platform/http/FormPage"
import type { Locale } from "@kanmon/domain/Locale"

export type Asks = "verify" | "change"

interface Texts {
  readonly verify: { readonly title: string; readonly question: (email: string) => string; readonly button: string }
  readonly change: { readonly title: string; readonly question: (email: string) => string; readonly button: string }
  readonly ignore: string
  readonly password: string
  readonly wrong: string
  readonly done: readonly [title: string, text: string]
  readonly invalid: readonly [title: string, ...text: ReadonlyArray<string>]
}

const texts: Readonly<Record<Locale, Texts>> = {
  en: {
    verify: {
      title: "Verify your e-mail address",
      question: (email) => `Enter the password of the account ${email} to verify its address.`,
      button: "Verify"
    },
    change: {
      title: "Confirm your new e-mail address",
      question: (email) => `From now on, the account is to use the address ${email}.`,
      button: "Confirm"
    },
    ignore: "If you did not create this account, close this page.",
    password: "Password",
    wrong: "The password is wrong.",
    done: ["Your address is verified", "You can close this page."],
    invalid: [
      "This link is not valid",
      "It is incomplete, was used, or is older than 24 hours.",
      "Sign in and request a new one."
    ]
  },
  de: {
    verify: {
      title: "Bestätigen Sie Ihre E-Mail-Adresse",
      question: (email) => `Geben Sie das Passwort des Kontos ${email} ein, um die Adresse zu bestätigen.`,
      button: "Bestätigen"
    },
    change: {
      title: "Bestätigen Sie Ihre neue E-Mail-Adresse",
      question: (email) => `Das Konto soll künftig die Adresse ${email} verwenden.`,
      button: "Bestätigen"
    },
    ignore: "Falls das Konto nicht Ihres ist, schließen Sie diese Seite.",
    password: "Passwort",
    wrong: "Das Passwort ist falsch.",
    done: ["Ihre Adresse ist bestätigt", "Sie können diese Seite schließen."],
    invalid: [
      "Dieser Link ist nicht gültig",
      "Er ist unvollständig, wurde schon verwendet oder ist älter als 24 Stunden.",
      "Melden Sie sich an und fordern Sie einen neuen an."
    ]
  },
  ja: {
    verify: {
      title: "メールアドレスの確認",
      question: (email) => `アカウント ${email} のパスワードを入力して、メールアドレスを確認してください。`,
      button: "確認する"
    },
    change: {
      title: "新しいメールアドレスの確認",
      question: (email) => `今後このアカウントではメールアドレス ${email} を使います。`,
      button: "確認する"
    },
    ignore: "アカウントに心当たりがない場合は、このページを閉じてください。",
    password: "パスワード",
    wrong: "パスワードが正しくありません。",
    done: ["メールアドレスが確認されました", "このページを閉じてかまいません。"],
    invalid: [
      "このリンクは無効です",
      "リンクが不完全か、使用済みか、24 時間を過ぎています。",
      "サインインして、新しいリンクを申請してください。"
    ]
  }
}

/** Asks for the password, unless the account's session is enough. */
export const question = (
  locale: Locale,
  asks: Asks,
  link: { readonly email: string; readonly shown: string; readonly token: string },
  options: { readonly askPassword: boolean; readonly wasWrong?: boolean }
): FormPage.FormPage => {
  const { ignore, password, wrong, [asks]: text } = texts[locale]
  return {
    locale,
    title: text.title,
    paragraphs: [...(options.wasWrong === true ? [wrong] : []), text.question(link.shown), ignore],
    form: {
      fields: [
        ...(asks === "verify" ? [{ type: "hidden", name: "email", value: link.email } as const] : []),
        { type: "hidden", name: "token", value: link.token },
        ...(options.askPassword ? [{ type: "password", name: "password", label: password } as const] : [])
      ],
      button: text.button
    }
  }
}

const plain = (
  locale: Locale,
  [title, ...paragraphs]: readonly [string, ...ReadonlyArray<string>]
): FormPage.FormPage => ({
  locale,
  title,
  paragraphs
})

export const done = (locale: Locale): FormPage.FormPage => plain(locale, texts[locale].done)

export const invalidLink = (locale: Locale): FormPage.FormPage => plain(locale, texts[locale].invalid)
