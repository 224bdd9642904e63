/** The messages to contact methods besides pages, in the language of their owner. */
import type { Message } from "@kanmon/core/Channel"
import type { Locale } from "@kanmon/domain/Locale"

interface Words {
  readonly codeSubject: string
  readonly code: (code: string) => string
  readonly testSubject: string
  readonly test: (host: string) => string
}

/** In every language. */
const contactMethodWords: Readonly<Record<Locale, Words>> = {
  en: {
    codeSubject: "Confirmation code",
    code: (code) =>
      `Your Kanmon confirmation code is ${code}. With it you will be reached here when you are on call. If you did not expect it, ignore this message.`,
    testSubject: "Test of a contact method",
    test: (host) => `This is a test from ${host}: if you can read it, you can be reached here when you are on call.`
  },
  de: {
    codeSubject: "Bestätigungscode",
    code: (code) =>
      `Ihr Bestätigungscode für Kanmon lautet ${code}. Mit ihm werden Sie hier erreicht, wenn Sie Bereitschaft haben. Falls Sie ihn nicht erwarten, beachten Sie diese Nachricht nicht weiter.`,
    testSubject: "Test eines Kontaktwegs",
    test: (host) =>
      `Dies ist ein Test von ${host}: Wenn Sie ihn lesen können, sind Sie hier erreichbar, wenn Sie Bereitschaft haben.`
  },
  ja: {
    codeSubject: "確認コード",
    code: (code) =>
      `Kanmon の確認コードは ${code} です。確認すると、当番のときにここへ連絡が届きます。心当たりがない場合は、このメッセージを無視してください。`,
    testSubject: "連絡方法のテスト",
    test: (host) => `これは ${host} からのテストです。読めていれば、当番のときにここへ連絡が届きます。`
  }
}

// Without names: people choose those, and could send text to strangers through them.
export const invitation = (locale: Locale, id: string, code: string): Message => ({
  id,
  language: locale,
  subject: contactMethodWords[locale].codeSubject,
  text: contactMethodWords[locale].code(code)
})

export const testMessage = (locale: Locale, id: string, host: string): Message => ({
  id,
  language: locale,
  subject: contactMethodWords[locale].testSubject,
  text: contactMethodWords[locale].test(host)
})
