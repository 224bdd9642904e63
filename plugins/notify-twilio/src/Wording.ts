/** The words of calls and of answers to texts, in the languages of people. */
import type { NoticeEvent } from "@kanmon/core/Notice"
import type { Told } from "@kanmon/core/Replies"
import type { Locale } from "@kanmon/domain/Locale"
import type { Severity } from "@kanmon/domain/Severity"

export interface Wording {
  /** The language of Twilio's voice. */
  readonly voice: string
  readonly intro: string
  readonly drill: string
  readonly unnamed: string
  readonly severity: Readonly<Record<Severity, string>>
  /** The state of a monitor. */
  readonly state: (name: string, event: NoticeEvent) => string
  /** The first of several alerts, with the number of the others. */
  readonly several: (first: string, others: number) => string
  readonly status: (code: number) => string
  readonly regions: (failing: number, all: number) => string
  readonly since: (clock: string) => string
  readonly onCall: (schedule: string) => string
  readonly asked: (name: string) => string
  readonly keys: string
  /** The act of the host, as one sentence. */
  readonly told: (told: Exclude<Told, { readonly _tag: "Repeat" | "Silent" }>) => string
}

const english: Readonly<Record<NoticeEvent, string>> = {
  monitor_down: "is down",
  monitor_up: "is up again",
  monitor_degraded: "is degraded",
  monitor_degraded_recovered: "is no longer degraded",
  monitor_stale: "has no check results",
  monitor_stale_recovered: "has check results again",
  ssl_expiring: "has a certificate that expires soon",
  ssl_expired: "has an expired certificate",
  ssl_invalid: "has an invalid certificate",
  ssl_recovered: "has a valid certificate again",
  domain_expiring: "has a domain that expires soon",
  domain_expired: "has an expired domain",
  domain_recovered: "has a renewed domain",
  external: "fires",
  external_resolved: "is resolved",
  test: "sends a test"
}

const german: Readonly<Record<NoticeEvent, string>> = {
  monitor_down: "ist ausgefallen",
  monitor_up: "ist wieder verfügbar",
  monitor_degraded: "ist beeinträchtigt",
  monitor_degraded_recovered: "ist nicht mehr beeinträchtigt",
  monitor_stale: "liefert keine Ergebnisse",
  monitor_stale_recovered: "liefert wieder Ergebnisse",
  ssl_expiring: "hat ein Zertifikat, das bald abläuft",
  ssl_expired: "hat ein abgelaufenes Zertifikat",
  ssl_invalid: "hat ein ungültiges Zertifikat",
  ssl_recovered: "hat wieder ein gültiges Zertifikat",
  domain_expiring: "hat eine Domain, die bald abläuft",
  domain_expired: "hat eine abgelaufene Domain",
  domain_recovered: "hat eine verlängerte Domain",
  external: "meldet einen Alarm",
  external_resolved: "ist behoben",
  test: "sendet einen Test"
}

const japanese: Readonly<Record<NoticeEvent, string>> = {
  monitor_down: "がダウンしています",
  monitor_up: "が復旧しました",
  monitor_degraded: "の性能が低下しています",
  monitor_degraded_recovered: "の性能が回復しました",
  monitor_stale: "のチェック結果がありません",
  monitor_stale_recovered: "のチェック結果が再び届いています",
  ssl_expiring: "の証明書がまもなく期限切れになります",
  ssl_expired: "の証明書が期限切れです",
  ssl_invalid: "の証明書が無効です",
  ssl_recovered: "の証明書が有効になりました",
  domain_expiring: "のドメインがまもなく期限切れになります",
  domain_expired: "のドメインが期限切れです",
  domain_recovered: "のドメインが更新されました",
  external: "がアラートを出しています",
  external_resolved: "は解決しました",
  test: "のテストです"
}

const en: Wording = {
  voice: "en-US",
  intro: "This is Kanmon.",
  drill: "This is a drill.",
  unnamed: "A monitor",
  severity: { critical: "Critical alert.", warning: "Warning.", info: "For your information." },
  state: (name, event) => `${name} ${english[event]}`,
  several: (first, others) => `${others + 1} alerts: ${first}, and ${others} more.`,
  status: (code) => `Status ${code}.`,
  regions: (failing, all) => `In ${failing} of ${all} regions.`,
  since: (clock) => `Since ${clock}.`,
  onCall: (schedule) => `You are on call in ${schedule}.`,
  asked: (name) => `${name} asks for you.`,
  keys: "Press 4 to acknowledge, 8 to escalate, star to hear this again, or 6 to do nothing.",
  told: (told) => {
    switch (told._tag) {
      case "Acknowledged":
        return told.alerts === 1 ? "Acknowledged: 1 alert." : `Acknowledged: ${told.alerts} alerts.`
      case "Escalated":
        return told.alerts === 1 ? "Escalated: 1 alert." : `Escalated: ${told.alerts} alerts.`
      case "AlreadyAcknowledged":
        return `Nothing was changed: ${told.by} has acknowledged it.`
      case "Over":
        return "Nothing was changed: the alert is resolved."
      case "AlreadyEscalated":
        return "Nothing was changed: the next step has run already."
      case "NothingToEscalate":
        return "Nothing was changed: no one else is to be paged for it."
      case "Nothing":
        return "Nothing was changed. The alert stays open, and the escalation goes on."
      case "WrongCode":
        return "This code is not valid. Answer with the code of the newest message."
      case "NoCommand":
        return "Answer ack or esc with the code of a message, such as: ack 12345678"
    }
  }
}

const de: Wording = {
  voice: "de-DE",
  intro: "Hier ist Kanmon.",
  drill: "Dies ist eine Übung.",
  unnamed: "Ein Monitor",
  severity: { critical: "Kritischer Alarm.", warning: "Warnung.", info: "Zur Information." },
  state: (name, event) => `${name} ${german[event]}`,
  several: (first, others) =>
    `${others + 1} Alarme: ${first}, und ${others === 1 ? "ein weiterer" : `${others} weitere`}.`,
  status: (code) => `Status ${code}.`,
  regions: (failing, all) => `In ${failing} von ${all} Regionen.`,
  since: (clock) => `Seit ${clock}.`,
  onCall: (schedule) => `Sie haben Bereitschaft in ${schedule}.`,
  asked: (name) => `${name} fragt nach Ihnen.`,
  keys: "Drücken Sie 4 zum Bestätigen, 8 zum Eskalieren, Stern zum Wiederholen oder 6, um nichts zu tun.",
  told: (told) => {
    switch (told._tag) {
      case "Acknowledged":
        return told.alerts === 1 ? "Bestätigt: 1 Alarm." : `Bestätigt: ${told.alerts} Alarme.`
      case "Escalated":
        return told.alerts === 1 ? "Eskaliert: 1 Alarm." : `Eskaliert: ${told.alerts} Alarme.`
      case "AlreadyAcknowledged":
        return `Es wurde nichts geändert: ${told.by} hat bereits bestätigt.`
      case "Over":
        return "Es wurde nichts geändert: Der Alarm ist behoben."
      case "AlreadyEscalated":
        return "Es wurde nichts geändert: Der nächste Schritt ist bereits ausgeführt."
      case "NothingToEscalate":
        return "Es wurde nichts geändert: Weitere Personen sind nicht vorgesehen."
      case "Nothing":
        return "Es wurde nichts geändert. Der Alarm bleibt offen, und die Eskalation geht weiter."
      case "WrongCode":
        return "Dieser Code ist nicht gültig. Antworten Sie mit dem Code der neuesten Nachricht."
      case "NoCommand":
        return "Antworten Sie ack oder esc mit dem Code einer Nachricht, zum Beispiel: ack 12345678"
    }
  }
}

const ja: Wording = {
  voice: "ja-JP",
  intro: "Kanmonです。",
  drill: "これは訓練です。",
  unnamed: "モニター",
  severity: { critical: "重大なアラートです。", warning: "警告です。", info: "お知らせです。" },
  state: (name, event) => `${name}${japanese[event]}`,
  several: (first, others) => `アラート${others + 1}件。${first}。ほか${others}件。`,
  status: (code) => `ステータスは${code}です。`,
  regions: (failing, all) => `${all}リージョン中${failing}リージョンで発生しています。`,
  since: (clock) => `${clock}からです。`,
  onCall: (schedule) => `${schedule}のオンコール担当です。`,
  asked: (name) => `${name}が応援を求めています。`,
  keys: "確認するには4、エスカレーションするには8、もう一度聞くには米印、何もしない場合は6を押してください。",
  told: (told) => {
    switch (told._tag) {
      case "Acknowledged":
        return `アラート${told.alerts}件を確認済みにしました。`
      case "Escalated":
        return `アラート${told.alerts}件をエスカレーションしました。`
      case "AlreadyAcknowledged":
        return `変更はありません。${told.by}が確認済みです。`
      case "Over":
        return "変更はありません。アラートは解決しています。"
      case "AlreadyEscalated":
        return "変更はありません。次のステップは実行済みです。"
      case "NothingToEscalate":
        return "変更はありません。ほかに呼び出す相手がいません。"
      case "Nothing":
        return "変更はありません。アラートは未対応のままで、エスカレーションは続きます。"
      case "WrongCode":
        return "このコードは無効です。最新のメッセージのコードで返信してください。"
      case "NoCommand":
        return "メッセージのコードを付けて ack または esc と返信してください。例: ack 12345678"
    }
  }
}

export const wordings: Readonly<Record<Locale, Wording>> = { en, de, ja }
