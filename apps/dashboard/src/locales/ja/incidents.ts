/** Texts of incidents and maintenance windows. */
export default {
  "Rule|recurrence": "繰り返しのルール",
  "A fix is in place and {what} works again. We keep watching it.":
    "修正が完了し、{what}は復旧しました。引き続き状況を確認しています。",
  "A maintenance window announces work to your visitors and keeps alerts back meanwhile.":
    "メンテナンスは、作業の予定を利用者に知らせ、その間のアラートを止めます。",
  "A recurrence rule (RFC 5545), such as FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=1":
    "繰り返しルール（RFC 5545）。例: FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=1",
  "After a number of windows": "指定した回数の後",
  "Alerts and downtime count again from now on, and status pages show it as completed.":
    "これ以降は、アラートとダウンタイムが再び対象になり、ステータスページには完了と表示されます。",
  "An incident tells the visitors of your status pages what is wrong and what you do about it.":
    "インシデントは、何が起きていて、どう対応しているかを、ステータスページの利用者に知らせます。",
  "As visitors of the status page see it": "ステータスページでの表示",
  Back: "戻る",
  Begins: "開始",
  By: "基準",
  "By a rule of its own": "独自のルール",
  "By kind": "種類別",
  Calendar: "カレンダー",
  "Cancel the maintenance": "メンテナンスを中止",
  "Cancel this maintenance?": "このメンテナンスを中止しますか？",
  Completed: "完了",
  Daily: "毎日",
  Day: "日",
  "Day of the month": "日付",
  "Day of the week": "曜日",
  "Delete this incident?": "このインシデントを削除しますか？",
  "Delete this maintenance window?": "このメンテナンスを削除しますか？",
  Discard: "破棄",
  "Drag a scheduled window to another day, or move it with the arrow keys. Times in {zone}.":
    "予定されたメンテナンスは、ドラッグまたは矢印キーで別の日に移動できます。時刻のタイムゾーン: {zone}。",
  "Drag a scheduled window, or move it with the arrow keys; with Shift they change its length. Times in {zone}.":
    "予定されたメンテナンスは、ドラッグまたは矢印キーで移動できます。Shift キーと併用すると長さを変えられます。時刻のタイムゾーン: {zone}。",
  Earlier: "前へ",
  "Does not repeat": "繰り返しなし",
  "During the window checks go on, no alert is sent, and downtime does not count.":
    "メンテナンス中もチェックは続きますが、アラートは送信されず、ダウンタイムにも数えません。",
  "End early": "早めに終了",
  "End the maintenance now?": "メンテナンスを今すぐ終了しますか？",
  Ends: "終了",
  Every: "間隔",
  "Every monitor tagged": "次のタグが付いたすべての監視",
  First: "第 1",
  Fourth: "第 4",
  "Go to the incidents": "インシデントへ",
  "Hours of the week": "週間スケジュール",
  "In your time zone: {from} – {to}": "お使いのタイムゾーン: {from}～{to}",
  Incidents: "インシデント",
  "Insert a text": "文章を挿入",
  "It disappears from the status pages, with everything that was written. This cannot be undone.":
    "投稿した内容とともに、ステータスページから消えます。この操作は取り消せません。",
  "It is deleted and disappears from the status pages.": "削除され、ステータスページから消えます。",
  "Keep it": "残す",
  Last: "最終",
  Later: "次へ",
  Monthly: "毎月",
  "New incident": "新しいインシデント",
  "New maintenance window": "新しいメンテナンス",
  "No incident is open": "発生中のインシデントはありません",
  "No incident matches": "該当するインシデントはありません",
  "No maintenance is in progress": "実施中のメンテナンスはありません",
  "No maintenance is scheduled": "予定されたメンテナンスはありません",
  "No maintenance so far": "これまでのメンテナンスはありません",
  "No status page shows an affected monitor, so no visitor sees this.":
    "影響を受ける監視を表示するステータスページがないため、利用者には表示されません。",
  "No text yet": "文章はまだありません",
  "Nothing on these days": "この期間の予定はありません",
  "Only this window is moved; the series after it stays.": "この回だけを移動します。以降の予定は変わりません。",
  "Nothing chosen: it is about the whole project, and every status page shows it.":
    "選択しない場合はプロジェクト全体が対象となり、すべてのステータスページに表示されます。",
  On: "日付",
  "On a day": "指定した日",
  Past: "過去",
  "Plain text. Addresses become links; line breaks are kept.":
    "プレーンテキスト。アドレスはリンクになり、改行はそのまま表示されます。",
  "Preview of the public text": "公開される文章のプレビュー",
  "Publish and resolve": "公開して解決済みにする",
  "Publish the incident": "インシデントを公開",
  "Publish the update": "最新情報を公開",
  Repeats: "繰り返し",
  "Repeats: {series}": "繰り返し: {series}",
  Resolve: "解決済みにする",
  "Schedule maintenance": "メンテナンスを予定",
  Scheduled: "予定",
  Second: "第 2",
  "Series ends": "繰り返しの終了",
  "Show the month": "月を表示",
  "Show the whole text": "全文を表示",
  "Show the week": "週を表示",
  "Shown on": "表示先",
  "Some requests to {what} fail or take longer than usual. We are looking into it.":
    "{what}への一部のリクエストが失敗する、または通常より時間がかかる状態です。現在調査しています。",
  Text: "文章",
  "The clocks are put forward then: this time does not exist on that day. It counts as {time}.":
    "夏時間への切り替えのため、この日にこの時刻は存在しません。{time} として扱います。",
  "The maintenance is proceeding as planned.": "メンテナンスは予定どおり進んでいます。",
  "The maintenance takes longer than planned. We will post an update.":
    "メンテナンスに予定より時間がかかっています。改めてお知らせします。",
  "The next windows": "今後の予定",
  "The problems with {what} are resolved. We apologise for the disruption.":
    "{what}の問題は解決しました。ご迷惑をおかけし、申し訳ございません。",
  "The problems with {what} come from one of our providers. We are in contact with them.":
    "{what}の問題は、利用している外部サービスに起因するものです。提供元と連絡を取り、対応しています。",
  "The whole project": "プロジェクト全体",
  "There is no status page yet, so no visitor sees this.": "まだステータスページがないため、利用者には表示されません。",
  Third: "第 3",
  "This window and the series after it are deleted, and disappear from the status pages.":
    "この回と以降の繰り返しが削除され、ステータスページから消えます。",
  Title: "タイトル",
  Update: "最新情報",
  "We are investigating problems with {what}. We will post an update as soon as we know more.":
    "{what}で発生している問題を調査しています。詳しいことがわかり次第、お知らせします。",
  "We have found the cause of the problems with {what} and are working on a fix.":
    "{what}の問題の原因を特定し、修正を進めています。",
  "We will carry out maintenance. During this time {what} may be unavailable for a few minutes.":
    "メンテナンスを実施します。作業中、{what}を数分間ご利用いただけない場合があります。",
  "We will carry out maintenance. We expect no interruption of {what}.":
    "メンテナンスを実施します。{what}の停止は予定していません。",
  Weekly: "毎週",
  "What is affected": "影響範囲",
  "What visitors notice, in a few words: “Payments fail”": "利用者から見た症状を短く（例:「決済ができません」）",
  "What visitors read": "利用者に公開する内容",
  When: "日時",
  Which: "週",
  Windows: "回数",
  "Write an update": "最新情報を書く",
  Yearly: "毎年",
  "from Monday to Friday": "月曜日から金曜日まで",
  "planned by its series": "繰り返しで予定",
  "our service": "当サービス",
  "{count, plural, one {# deleted monitor} other {# deleted monitors}}": "{count, plural, other {削除された監視 # 件}}",
  "{count, plural, one {# monitor is affected.} other {# monitors are affected.}}":
    "{count, plural, other {# 件の監視に影響があります。}}",
  "{count, plural, one {and # more} other {and # more}}": "{count, plural, other {ほか # 件}}",
  "{count, plural, one {every day} other {every # days}}": "{count, plural, one {毎日} other {# 日ごと}}",
  "{count, plural, one {every year on {date}} other {every # years on {date}}}":
    "{count, plural, one {毎年 {date}} other {# 年ごとの {date}}}",
  "{count, plural, one {every {days}} other {every # weeks on {days}}}":
    "{count, plural, one {毎週 {days}} other {# 週ごとの {days}}}",
  "{count, plural, one {on day {day} of every month} other {on day {day} of every # months}}":
    "{count, plural, one {毎月 {day} 日} other {# か月ごとの {day} 日}}",
  "{count, plural, one {on the last day of every month} other {on the last day of every # months}}":
    "{count, plural, one {毎月の末日} other {# か月ごとの末日}}",
  "{count, plural, one {on the {nth, select, 1 {first} 2 {second} 3 {third} 4 {fourth} other {last}} {day} of every month} other {on the {nth, select, 1 {first} 2 {second} 3 {third} 4 {fourth} other {last}} {day} of every # months}}":
    "{count, plural, one {毎月の} other {# か月ごとの}}{nth, select, 1 {第 1 } 2 {第 2 } 3 {第 3 } 4 {第 4 } other {最終}}{day}",
  "{count, plural, one {{text}, once} other {{text}, # times}}": "{text}、{count, plural, other {# 回}}",
  "{count, plural, one {day} other {days}}": "{count, plural, other {日}}",
  "{count, plural, one {month} other {months}}": "{count, plural, other {か月}}",
  "{count, plural, one {week} other {weeks}}": "{count, plural, other {週間}}",
  "{count, plural, one {year} other {years}}": "{count, plural, other {年}}",
  "{text}, until {date}": "{text}、{date} まで"
} as const satisfies Record<string, string>
