/** Texts of the first steps, and of tests that run before anything is saved, in Japanese. */
export default {
  "A file": "ファイル",
  "A job that reports": "完了を報告するジョブ",
  "A rule sends outages of this monitor to the chosen channels.":
    "この監視の障害は、アラートルールによって、選択した通知チャンネルに送信されます。",
  "A rule sends outages of this monitor, and of those to come, to the chosen channels.":
    "この監視と今後追加する監視の障害は、アラートルールによって、選択した通知チャンネルに送信されます。",
  "A web address, a host, host:port, or a job: “nightly backup”, “every 5 minutes”, or its cron expression":
    "Web アドレス、ホスト、ホスト:ポート、またはジョブ（「nightly backup」「every 5 minutes」や cron 式）",
  "Add and send a test": "追加してテストを送信",
  "Check it now": "今すぐチェック",
  "Confirm {name}": "{name} の確認",
  "Continue without it": "ルールなしで続ける",
  "Create a status page": "ステータスページを作成",
  Done: "完了",
  "Enter a web address, a host, a host with a port, or the schedule of a job, such as “every hour”.":
    "Web アドレス、ホスト、ホスト:ポート、またはジョブのスケジュール（「every hour」など）を入力してください。",
  "Fill in the whole form instead": "代わりにすべての項目を入力する",
  "Five fields, as in a crontab, in UTC unless the form of the monitor says otherwise.":
    "crontab と同じ 5 つのフィールドです。監視の設定で変更しない限り UTC です。",
  "Guide me: test first, save later": "手順に沿って設定: 先にテスト、後で保存",
  "Import from": "インポート元",
  "Import instead": "代わりにインポート",
  "It waits for the first signal.": "最初のシグナルを待っています。",
  Job: "ジョブ",
  "No answer": "応答なし",
  "No new one": "追加しない",
  "No one for now": "今は通知しない",
  "Open the monitor": "監視を開く",
  "Or on the server: this reads kuma.db or a JSON backup and writes a file to review.":
    "サーバー上で行う場合: kuma.db または JSON バックアップを読み取り、確認用のファイルを書き出します。",
  "Show it to your visitors?": "利用者に公開しますか？",
  "Shows what a file with monitors, channels and rules would change. Without --dry-run it is done.":
    "監視、通知チャンネル、アラートルールのファイルで何が変わるかを表示します。--dry-run を付けなければ、変更が適用されます。",
  "Skip for now": "今はスキップ",
  "Something is down": "障害発生",
  "Start watching": "監視を開始",
  "Tell me by": "通知方法",
  "The certificate is not valid.": "証明書が無効です。",
  "The certificate is valid for {days, plural, one {# more day} other {# more days}}.":
    "証明書の有効期間は残り {days, plural, other {# 日}}です。",
  "The first result is on its way.": "最初の結果を待っています。",
  "The job calls an address when it is done. When a call is missing, you are told. You get the address in the last step.":
    "ジョブは完了時にアドレスを呼び出します。呼び出しがないと通知されます。アドレスは最後の手順で表示されます。",
  "The monitor was created, but not the rule that tells you of outages: {reason} Try again: nothing is made twice.":
    "監視は作成されましたが、障害を通知するアラートルールを作成できませんでした: {reason} もう一度お試しください。重複して作成されることはありません。",
  "The test was cut off. Try again.": "テストが中断されました。もう一度お試しください。",
  "This is what we see": "チェックの結果",
  "Watch something else": "ほかのものを監視",
  Website: "Web サイト",
  "Its response": "応答の内容",
  "What should we watch?": "何を監視しますか？",
  "Without a channel, outages send no notifications. You can add one at any time.":
    "通知チャンネルがないと障害は誰にも通知されません。いつでも追加できます。",
  "Your channels": "既存の通知チャンネル",
  "{count, plural, one {# region has} other {# regions have}} answered.":
    "{count, plural, other {# リージョン}}が応答しました。",
  "{name} is being watched": "{name} を監視しています",
  "{name} is down": "{name} が停止しています",
  "A rule for every monitor tells {channels} of an outage already.":
    "すべての監視を対象とするアラートルールが、すでに障害を {channels} に通知します。",
  "A rule for every monitor starts an escalation policy when there is an outage.":
    "すべての監視を対象とするアラートルールが、障害時にエスカレーションポリシーを開始します。",
  "Describe the job": "ジョブを設定"
} as const satisfies Record<string, string>
