/**
 * The messages that ask a recipient of a channel to confirm, in the language of the recipient's account, or of the person who entered
 * the address. They have no names of projects or monitors: users choose those, and could send text to strangers through them.
 */
import type { Message } from "@kanmon/core/Channel"
import type { Locale } from "@kanmon/domain/Locale"

interface Words {
  readonly subject: string
  readonly lines: (about: {
    readonly host: string
    readonly link: string
    readonly code: string
  }) => ReadonlyArray<string>
  readonly shortSubject: string
  readonly short: (code: string) => string
}

/** In every language. */
const recipientWords: Readonly<Record<Locale, Words>> = {
  en: {
    subject: "Confirm that you want monitoring notifications",
    lines: ({ code, host, link }) => [
      `This address was entered at ${host} to receive notifications of outages.`,
      "",
      "If you want them, open this link and press the button:",
      link,
      "",
      `Or give this code to the person who set it up: ${code}`,
      "",
      "The code is valid for 24 hours. If you did not expect this mail, ignore it: no notifications will be sent."
    ],
    shortSubject: "Confirmation code",
    short: (code) => `Your Kanmon confirmation code is ${code}. If you did not expect it, ignore this message.`
  },
  de: {
    subject: "Bestätigen Sie, dass Sie Benachrichtigungen möchten",
    lines: ({ code, host, link }) => [
      `Diese Adresse wurde bei ${host} angegeben, um Benachrichtigungen über Ausfälle zu erhalten.`,
      "",
      "Falls Sie sie möchten, öffnen Sie diesen Link und drücken Sie die Schaltfläche:",
      link,
      "",
      `Oder geben Sie diesen Code der Person, die das eingerichtet hat: ${code}`,
      "",
      "Der Code gilt 24 Stunden. Falls Sie diese E-Mail nicht erwarten, beachten Sie sie nicht weiter: Es werden keine Benachrichtigungen gesendet."
    ],
    shortSubject: "Bestätigungscode",
    short: (code) =>
      `Ihr Bestätigungscode für Kanmon lautet ${code}. Falls Sie ihn nicht erwarten, beachten Sie diese Nachricht nicht weiter.`
  },
  ja: {
    subject: "監視の通知を受け取るかどうかの確認",
    lines: ({ code, host, link }) => [
      `障害の通知の宛先として、このアドレスが ${host} に入力されました。`,
      "",
      "受け取る場合は、次のリンクを開いてボタンを押してください。",
      link,
      "",
      `または、設定した方に次のコードをお伝えください: ${code}`,
      "",
      "コードの有効期限は 24 時間です。心当たりがない場合は、このメールを無視してください。通知は送信されません。"
    ],
    shortSubject: "確認コード",
    short: (code) => `Kanmon の確認コードは ${code} です。心当たりがない場合は、このメッセージを無視してください。`
  }
}

/** The mail with a link and a code. */
export const invitation = (
  locale: Locale,
  id: string,
  about: { readonly host: string; readonly link: string; readonly code: string }
): Message => ({
  id,
  language: locale,
  subject: recipientWords[locale].subject,
  text: recipientWords[locale].lines(about).join("\n")
})

/** The same for a phone. */
export const shortInvitation = (locale: Locale, id: string, code: string): Message => ({
  id,
  language: locale,
  subject: recipientWords[locale].shortSubject,
  text: recipientWords[locale].short(code)
})
