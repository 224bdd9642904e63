/** Texts of the pages "Now" and "Alerts". */
export default {
  "4 hours": "4 時間",
  "A deleted channel": "削除された通知チャンネル",
  "A deleted monitor": "削除された監視",
  "A silence keeps notifications about some monitors back for a while, such as during a migration.":
    "サイレンスは、移行作業中などに、一部の監視についての通知をしばらく止めます。",
  Acknowledge: "確認済みにする",
  "Acknowledge with note": "メモを付けて確認済みにする",
  "Acknowledged by {name}: {note}": "{name} さんが確認済みにしました: {note}",
  Active: "有効",
  "All past alerts": "過去のアラートをすべて表示",
  "An alert opens when a rule's condition holds, and it resolves when the condition ends.":
    "アラートは、アラートルールの条件を満たすと発生し、条件を満たさなくなると解決します。",
  "By state": "状態別",
  "Certificate is invalid": "証明書が無効です",
  "Create silence": "サイレンスを作成",
  Duration: "期間",
  "Earlier alerts of this monitor": "この監視の以前のアラート",
  "End now": "今すぐ終了",
  "End snooze": "スヌーズを終了",
  "End now: {reason}": "今すぐ終了: {reason}",
  "I am on it": "対応します",
  Identified: "原因特定",
  "In progress": "実施中",
  "Incidents and maintenance": "インシデントとメンテナンス",
  Investigating: "調査中",
  Monitoring: "経過観察中",
  "New silence": "新しいサイレンス",
  Next: "次の予定",
  "Next delivery attempt": "次の送信",
  "No alert is open": "発生中のアラートはありません",
  "No alert matches": "該当するアラートはありません",
  "No channel was notified: the rule has none.":
    "通知は送信されていません。アラートルールに通知チャンネルがありません。",
  "No monitor is down.": "停止している監視はありません。",
  "No probe is online in: {regions}. Its results count as unknown until it is back.":
    "オンラインのプローブがないリージョン: {regions}。復旧するまで、結果は不明として扱われます。",
  "Note for others": "ほかの担当者へのメモ",
  "Nothing is sent about these monitors until the silence ends. Checks and status pages go on.":
    "サイレンスが終わるまで、対象の監視についての通知は送信されません。チェックとステータスページは続きます。",
  "Nothing is silenced": "サイレンスはありません",
  "Notification delivered to {channel}": "{channel} に通知しました",
  "Notification to {channel} failed": "{channel} への通知に失敗しました",
  "Notification to {channel} failed; it is tried again": "{channel} への通知に失敗しました。再試行します",
  Now: "現在",
  "Open alerts": "発生中のアラート",
  Reason: "理由",
  "Resolved after {duration}": "{duration}で解決",
  "Resolved lately": "最近解決したアラート",
  "Show more": "さらに表示",
  Silenced: "サイレンス中",
  Silences: "サイレンス",
  Snooze: "スヌーズ",
  "Snoozed by {name}": "{name} さんがスヌーズしました",
  "Tag {tag}": "タグ {tag}",
  "The alert opened: {trigger}": "アラートが発生しました: {trigger}",
  "The condition began": "条件を満たし始めました",
  Timeline: "経過",
  Unacknowledge: "確認済みを取り消す",
  Until: "終了",
  "Until tomorrow, 9:00": "明日の 9:00 まで",
  "{count, plural, one {# monitor is degraded.} other {# monitors are degraded.}}":
    "{count, plural, other {# 件の監視で性能が低下しています。}}",
  "{count, plural, one {# monitor is down.} other {# monitors are down.}}":
    "{count, plural, other {# 件の監視が停止しています。}}",
  "{count, plural, one {# notification failed} other {# notifications failed}}":
    "{count, plural, other {# 件の通知に失敗しました}}",
  "{count, plural, one {The results of # monitor are overdue.} other {The results of # monitors are overdue.}}":
    "{count, plural, other {# 件の監視の結果が遅れています。}}",
  "{count, plural, one {Your monitor is up.} other {All # monitors are up.}}":
    "{count, plural, one {監視は稼働中です。} other {# 件の監視はすべて稼働中です。}}"
} as const satisfies Record<string, string>
