/** Texts about integrations and their alerts. */
export default {
  "0: it stays open until its sender or somebody resolves it.": "0：送信元または担当者が解決するまで開いたままです。",
  "0: never. The sender may be down, or cannot reach Kanmon.":
    "0：開きません。送信元が停止しているか、Kanmonに接続できない可能性があります。",
  "A deleted integration": "削除された連携",
  "Address of an integration replaced": "連携のアドレスを置換しました",
  Alert: "アラート",
  "Alert resolved by hand": "アラートを手動で解決",
  "Alert when nothing has come for": "何も届かないときにアラートを開くまで",
  "Alertmanager, Grafana or any program that posts JSON can send its alerts here: they notify and escalate as those of monitors do.":
    "Alertmanager、Grafana、またはJSONを送信できるプログラムのアラートを受け取れます。モニターのアラートと同じように通知・エスカレーションされます。",
  "Alerts of": "アラートの対象",
  "An integration needs a rule for alerts of integrations, which says whom they notify. There is none yet.":
    "連携には、通知先を決める「連携のアラート」用のルールが必要です。まだありません。",
  "Any JSON": "任意のJSON",
  "Bodies that were not understood": "理解できなかった本文",
  "Create integration": "連携を作成",
  "Delete this integration?": "この連携を削除しますか？",
  "Heard last": "最終受信",
  "How urgent": "緊急度",
  Integration: "連携",
  "Integration changed": "連携を変更しました",
  "Integration created": "連携を作成しました",
  "Integration deleted": "連携を削除しました",
  Integrations: "連携",
  "It is shown once. Give it to the sender: anyone who has it can open alerts.":
    "表示は一度だけです。送信元に設定してください。このアドレスを知っている人は誰でもアラートを開けます。",
  "It is silent: an alert is open about that.": "受信が途絶えています。これについてのアラートが開いています。",
  Key: "キー",
  Labels: "ラベル",
  Link: "リンク",
  "New address for {name}": "{name}の新しいアドレス",
  "New integration": "新しい連携",
  "No integrations": "連携はありません",
  "Nothing has come yet": "まだ何も届いていません",
  "Nothing in it was taken": "何も取り込まれませんでした",
  "Only the beginning is kept.": "先頭部分だけが保存されます。",
  Origin: "発生元",
  "Replace the address?": "アドレスを置き換えますか？",
  "Resolve an alert that is not sent any more after": "送信されなくなったアラートを解決するまで",
  Sender: "送信元",
  "Show integrations": "連携を表示",
  "The address of the integration": "連携のアドレス",
  "The present one stops working at once: the sender needs the new one.":
    "現在のアドレスはすぐに使えなくなります。送信元に新しいアドレスを設定してください。",
  "The rest was taken": "残りは取り込まれました",
  "The severity that a sender states comes first.": "送信元が示す重大度が優先されます。",
  "When an integration sends an alert, {action}.": "連携がアラートを送信したとき、{action}。",
  "the integration {name}": "連携 {name}",
  "{count, plural, one {# body was not understood} other {# bodies were not understood}}":
    "{count, plural, other {理解できなかった本文#件}}",
  "{count, plural, one {# open alert} other {# open alerts}}": "{count, plural, other {開いているアラート#件}}",
  "{name} can send nothing any more, and its open alerts close without a notification.":
    "{name}は送信できなくなり、開いているアラートは通知なしで閉じられます。"
} as const satisfies Record<string, string>
