/** Texts of quiet hours. */
export default {
  "Page to {name} waits for the end of quiet hours": "{name} の呼び出しは、通知を控える時間帯が終わるまで保留中です",
  "It is sent at {at}, unless somebody answers or the alert is over by then.":
    "それまでに誰も応答せず、アラートも解決しなければ、{at} に送信されます。",
  "{names} waits until quiet hours end: {at}": "{names} は通知を控える時間帯が終わるまで保留: {at}",
  "Hold messages in some hours of the week": "特定の曜日と時間帯に通知を保留",
  "warnings and information wait, critical alerts do not": "警告と情報は保留され、重大なアラートはすぐに届きます",
  "information waits, warnings and critical alerts do not": "情報は保留され、警告と重大なアラートはすぐに届きます",
  "nothing waits, because nothing is less urgent than information":
    "情報より重要度の低いものはないため、何も保留されません",
  "{hours} ({zone}): {hold}.": "{hours}（{zone}）: {hold}。",
  "Quiet hours": "通知を控える時間帯",
  "Hold what is below": "保留する基準（これより低い重要度）",
  "The hours follow its clock, also when it changes":
    "時間帯はこのタイムゾーンの時計に従います（夏時間の切り替えを含む）",
  "Change the quiet hours": "時間帯を変更",
  "None: every page is sent at once.": "設定なし: 呼び出しはすべてすぐに送信されます。",
  "Pages that wait arrive as one message at the end of the hours, without alerts that are over by then.":
    "保留された呼び出しは、時間帯の終わりに 1 通にまとめて届きます。それまでに解決したアラートは含まれません。",
  "Messages that wait arrive as one at the end of the hours, without alerts that are over by then. Pages of escalation policies do not wait.":
    "保留された通知は、時間帯の終わりに 1 通にまとめて届きます。それまでに解決したアラートは含まれません。エスカレーションポリシーによる呼び出しは保留されません。"
}
