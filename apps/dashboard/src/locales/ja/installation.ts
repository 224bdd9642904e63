/** Texts of the state of the installation. */
export default {
  "A part does not work": "機能していない部分があります",
  "All parts work": "すべて正常に機能しています",
  "Changes of the installation": "環境全体の変更",
  Clock: "時計",
  Database: "データベース",
  Installation: "環境",
  "It agrees with the message bus.": "メッセージバスと一致しています。",
  "It answers.": "応答しています。",
  "It does not answer. Nothing is lost: results wait on the message bus.":
    "応答していません。結果はメッセージバスで待機しており、失われません。",
  "It does not answer. Probes keep their results and send them later.":
    "応答していません。プローブが結果を保持し、後で送信します。",
  "It is off by {offset}: results count as unknown. Set the clock of the server.":
    "{offset}ずれているため、結果は不明として扱われます。サーバーの時計を合わせてください。",
  "It is off by {offset}; times are corrected.": "{offset}ずれています。時刻は補正されます。",
  "It was not compared with the message bus yet.": "メッセージバスとの比較はまだ行われていません。",
  "Message bus": "メッセージバス",
  "Messages leave at once.": "メッセージはただちに送信されています。",
  "Messages wait for the message bus.": "メッセージがメッセージバスを待っています。",
  Network: "ネットワーク",
  "No monitor waits for a result that is overdue.": "結果が遅れている監視はありません。",
  Outbox: "送信待ち",
  Probes: "プローブ",
  "The message bus refuses messages. See below.":
    "メッセージバスがメッセージを拒否しています。下記を確認してください。",
  "They are late: the server has too little processor time.": "遅れています。サーバーの CPU 時間が不足しています。",
  "They are on time.": "予定どおりです。",
  "This server is connected.": "このサーバーは接続されています。",
  "This server is offline: failed checks count as unknown.":
    "このサーバーはオフラインです。失敗したチェックは不明として扱われます。",
  "Version {version}": "バージョン {version}",
  "no probe is alive": "稼働中のプローブがありません",
  "{count, plural, one {# monitor waits for a result that is overdue.} other {# monitors wait for results that are overdue.}}":
    "{count, plural, other {# 件の監視の結果が遅れています。}}",
  "{count, plural, one {# probe} other {# probes}}": "{count, plural, other {プローブ # 件}}"
} as const satisfies Record<string, string>
