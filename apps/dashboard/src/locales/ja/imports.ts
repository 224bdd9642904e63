/** Texts of the import. */
export default {
  "Carried over, but look at it": "引き継がれるが要確認",
  "Choose a file": "ファイルを選択",
  "Choose another file": "別のファイルを選択",
  "Exists already": "作成済み（以前のインポート）",
  "Import from Uptime Kuma": "Uptime Kuma からインポート",
  "It needs {name}, which was not created.": "必要な {name} が作成されていません。",
  "Left out": "引き継がれないもの",
  "Nothing in this file can be carried over.": "このファイルから引き継げるものはありません。",
  "Reading {name}…": "{name} を読み込み中…",
  "Stop Uptime Kuma 2 and choose kuma.db from its data directory, or choose a JSON backup of version 1. First you see what would be created, and what has no counterpart.":
    "Uptime Kuma 2 を停止してデータディレクトリの kuma.db を選ぶか、バージョン 1 の JSON バックアップを選んでください。まず、作成されるものと引き継がれないものを表示します。",
  "To know": "確認事項",
  "{count, plural, one {# record was not created. Fix the reported problem and try again: existing records stay.} other {# records were not created. Fix the reported problems and try again: existing records stay.}}":
    "{count, plural, other {# 件を作成できませんでした。表示された問題を解消して、再試行してください。作成済みのものはそのまま残ります。}}",
  "After a failure it is checked again after {ours}, not after {theirs}.":
    "失敗後の再チェックは {theirs}後ではなく {ours}後です。",
  "Everything in this file exists already.": "このファイルの内容はすべて作成済みです。",
  "It is checked every {ours}, the shortest interval of the plan, not every {theirs}.":
    "チェックは {theirs}ごとではなく、プランの最短間隔の {ours}ごとです。",
  "Monitor {name}": "監視 {name}",
  "{count, plural, one {Use the shortest interval of the plan, {interval}, for the monitor that is checked more often} other {Use the shortest interval of the plan, {interval}, for the # monitors that are checked more often}}":
    "{count, plural, other {間隔がより短い # 件の監視に、プランの最短間隔（{interval}）を使う}}",
  "{count, plural, one {Create # record} other {Create # records}}": "{count, plural, other {# 件を作成}}",
  "{created} of {count} created": "{count} 件中 {created} 件を作成",
  "{created} of {count} created, {there} existed already": "{count} 件中 {created} 件を作成、{there} 件は作成済み",
  "every {duration}": "{duration}ごと",
  "no channel is told of an outage": "障害を通知する通知チャンネルなし",
  "tells {channels}": "通知先: {channels}"
} as const satisfies Record<string, string>
