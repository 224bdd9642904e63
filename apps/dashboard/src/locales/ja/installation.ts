/** Texts of the state of the installation. */
export default {
  "A part does not work": "機能していない部分があります",
  "All parts work": "すべて正常に機能しています",
  "Changes of the installation": "環境に対する変更",
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
  "{count, plural, one {# probe} other {# probes}}": "{count, plural, other {プローブ # 件}}",
  "It does not answer. If it was just stopped, it disappears within seconds; otherwise restart it.":
    "応答していません。停止した直後なら数秒で消えます。それ以外の場合は再起動してください。",
  "It is offline: its failed checks count as unknown. Look at the network of its machine.":
    "オフラインです。失敗したチェックは不明として扱われます。このマシンのネットワークを確認してください。",
  "Its clock is off by {offset}: its results count as unknown. Set the clock of its machine.":
    "時計が{offset}ずれているため、結果は不明として扱われます。このマシンの時計を合わせてください。",
  "Its clock is off by {offset}; times are corrected.": "時計が{offset}ずれています。時刻は補正されます。",
  "Its clock is right": "時計は正確です",
  "It runs another version than this server. Update it.":
    "このサーバーとは異なるバージョンで動作しています。更新してください。",
  "{count, plural, one {# monitor is checked only from here, so it is not checked now.} other {# monitors are checked only from here, so they are not checked now.}}":
    "{count, plural, other {# 件の監視はここからのみチェックされるため、現在チェックされていません。}}",
  "Other regions go on checking its monitors.": "監視のチェックは他のリージョンが続けています。",
  "No monitor depends on it.": "依存している監視はありません。",
  "Start a probe with KANMON_REGION={region}, or remove the region from KANMON_REGIONS.":
    "KANMON_REGION={region} でプローブを起動するか、KANMON_REGIONS からこのリージョンを削除してください。",
  "Look whether the process of the probe runs, reaches the message bus, and has a key that is valid. If the region is gone for good: kanmon region close {region}":
    "プローブのプロセスが動作し、メッセージバスに接続でき、キーが有効であることを確認してください。リージョンを廃止した場合: kanmon region close {region}",
  Started: "起動日時:",
  "Your monitors there": "このプロジェクトの監視",
  "No probe has reported from here yet": "ここからのプローブの報告はまだありません",
  "The last probe was alive": "最後のプローブの稼働:",
  "{count, plural, one {# monitor is checked from here} other {# monitors are checked from here}}":
    "{count, plural, other {# 件の監視をここからチェック}}",
  "{count, plural, one {# of them from nowhere else} other {# of them from nowhere else}}":
    "{count, plural, other {うち # 件はここのみ}}",
  "{count, plural, one {# monitor of this project is overdue} other {# monitors of this project are overdue}}":
    "{count, plural, other {このプロジェクトの監視 # 件が遅れています}}",
  "Regions and probes": "リージョンとプローブ",
  "No region has had a probe yet. Start one: it announces itself.":
    "プローブのあるリージョンはまだありません。プローブを起動すると自動的に登録されます。",
  "New plan": "新しいプラン",
  "Create plan": "プランを作成",
  "Shortest interval between checks": "チェックの最短間隔",
  "Shown to customers, not enforced": "顧客に表示されるだけで、強制はされません",
  "Price a month": "月額料金",
  Currency: "通貨",
  "Other people see changes of the plans within a minute.": "プランの変更は 1 分以内に他の人にも表示されます。",
  "The plan is no longer available for new subscriptions.": "今後このプランに申し込むことはできなくなります。",
  "Accounts on the plan that have more get some of them paused":
    "このプランで上限を超えるアカウントは、一部の監視が一時停止されます",
  "Act as": "代理操作",
  "Act as {name}": "{name} として代理操作",
  "Act as {name}?": "{name} として代理操作しますか？",
  Disable: "無効にする",
  "Disable {name}": "{name} を無効にする",
  "Disable {name}?": "{name} を無効にしますか？",
  Disabled: "無効",
  Enable: "有効にする",
  "Enable {name}": "{name} を有効にする",
  "Search by name or address": "名前またはアドレスで検索",
  "Search by name or owner": "名前またはオーナーで検索",
  "Last signed in": "最終サインイン",
  "{count, plural, one {# organization} other {# organizations}}": "{count, plural, other {組織 # 件}}",
  "For an hour at most you see what this person sees, and can do at most what an editor can. It is recorded in the audit log, where they see it too.":
    "最長 1 時間、この人と同じ画面を見て、編集者の権限の範囲で操作できます。操作は監査ログに記録され、本人も確認できます。",
  "They are signed out at once and cannot sign in. Their organizations and monitors go on.":
    "ただちにサインアウトされ、サインインできなくなります。組織と監視は継続します。",
  "{count, plural, one {# member} other {# members}}": "{count, plural, other {メンバー # 人}}",
  "{count, plural, one {# project} other {# projects}}": "{count, plural, other {プロジェクト # 件}}",
  Organizations: "組織",
  "Its checks stop, its status pages are not found, and its members and keys are refused, until it is enabled again. Nothing is deleted.":
    "再び有効にするまで、チェックは停止し、ステータスページは表示されず、メンバーとキーは拒否されます。何も削除されません。"
} as const satisfies Record<string, string>
