/** Texts about integrations and their alerts. */
export default {
  "0: it stays open until its sender or somebody resolves it.":
    "0 の場合、送信元または担当者が解決するまで、アラートは発生中のままです。",
  "0: never. The sender may be down, or cannot reach Kanmon.":
    "0 の場合、アラートは発生しません。何も届かないときは、送信元が停止しているか、Kanmon に接続できない可能性があります。",
  "A deleted integration": "削除された連携",
  "Address of an integration replaced": "連携のアドレスの変更",
  Alert: "アラート",
  "Alert resolved by hand": "アラートの手動解決",
  "Alert when nothing has come for": "アラートを発生させるまでの無受信時間",
  "Alertmanager, Grafana or any program that posts JSON can send its alerts here: they notify and escalate as those of monitors do.":
    "Alertmanager、Grafana など、JSON を送信できるプログラムからアラートを受け取れます。監視のアラートと同じように、通知とエスカレーションが行われます。",
  "Alerts of": "アラートの発生元",
  "An integration needs a rule for alerts of integrations, which says whom they notify. There is none yet.":
    "連携には、連携のアラートの通知先を決めるアラートルールが必要ですが、まだありません。",
  "Any JSON": "任意の JSON",
  "Bodies that were not understood": "解釈できなかった本文",
  "Create integration": "連携を作成",
  "Delete this integration?": "この連携を削除しますか？",
  "Heard last": "最終受信",
  "How urgent": "緊急度",
  Integration: "連携",
  "Integration changed": "連携の変更",
  "Integration created": "連携の作成",
  "Integration deleted": "連携の削除",
  Integrations: "連携",
  "It is shown once. Give it to the sender: anyone who has it can open alerts.":
    "表示されるのは一度だけです。送信元に設定してください。このアドレスを知っている人は、誰でもアラートを発生させられます。",
  "It is silent: an alert is open about that.": "受信が途絶えているため、アラートが発生しています。",
  Key: "キー",
  Labels: "ラベル",
  Link: "リンク",
  "New address for {name}": "{name} の新しいアドレス",
  "New integration": "新しい連携",
  "No integrations": "連携はありません",
  "Nothing has come yet": "まだ何も届いていません",
  "Nothing in it was taken": "どの内容も取り込まれませんでした",
  "Only the beginning is kept.": "先頭部分だけを保存しています。",
  Origin: "発生元",
  "Replace the address?": "アドレスを置き換えますか？",
  "Resolve an alert that is not sent any more after": "送信されなくなったアラートを解決するまでの時間",
  Sender: "送信元",
  "Show integrations": "連携を表示",
  "The address of the integration": "連携のアドレス",
  "The present one stops working at once: the sender needs the new one.":
    "現在のアドレスはすぐに使えなくなります。送信元に新しいアドレスを設定してください。",
  "The rest was taken": "残りは取り込まれました",
  "The severity that a sender states comes first.": "送信元が重要度を指定した場合は、その重要度が優先されます。",
  "When an integration sends an alert, {action}.": "連携がアラートを送信したとき、{action}。",
  "the integration {name}": "連携 {name}",
  "{count, plural, one {# body was not understood} other {# bodies were not understood}}":
    "{count, plural, other {解釈できなかった本文: # 件}}",
  "{count, plural, one {# open alert} other {# open alerts}}": "{count, plural, other {発生中のアラート: # 件}}",
  "{name} can send nothing any more, and its open alerts close without a notification.":
    "{name} からは送信できなくなり、発生中のアラートは、通知を送信せずに終了します。"
} as const satisfies Record<string, string>
