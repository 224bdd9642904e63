/** Texts of the settings. */
export default {
  "Your plan does not allow this.": "ご利用のプランでは許可されていません。",
  "See your plan": "プランを見る",
  "API keys": "API キー",
  "Added by the operator": "運営者が追加",
  Administrator: "管理者",
  "Copy the key {name} now: it is not shown again.":
    "キー {name} を今コピーしてください。再び表示されることはありません。",
  "Create key": "キーを作成",
  "Created by {name}": "作成者: {name}",
  "Delete the project": "プロジェクトを削除",
  "Delete this key?": "このキーを削除しますか？",
  "Delete {name}?": "{name} を削除しますか？",
  "Does not expire": "期限なし",
  Editor: "編集者",
  Expired: "期限切れ",
  Expires: "有効期限",
  "In 30 days": "30 日後",
  "In 7 days": "7 日後",
  "In 90 days": "90 日後",
  "In one year": "1 年後",
  "It may do everything in this project and does not expire.":
    "このプロジェクトのすべての操作ができ、期限はありません。",
  "Its monitors with their history, its alerts, incidents and status pages are deleted too.":
    "監視とその履歴、アラート、インシデント、ステータスページも削除されます。",
  "Last used": "最終使用",
  Never: "なし",
  "Never used": "未使用",
  "New key": "新しいキー",
  Replace: "置き換える",
  "Replace the key": "キーを置き換える",
  "Replace the project's key?": "プロジェクトのキーを置き換えますか？",
  "Requests with it are refused from then on.": "以後、このキーによるリクエストは拒否されます。",
  Responder: "対応者",
  Role: "役割",
  Settings: "設定",
  "The old key stops working at once, wherever it is used.":
    "古いキーは、どこで使われていても、ただちに使えなくなります。",
  "The project's own key": "プロジェクトのキー",
  "This cannot be undone.": "この操作は取り消せません。",
  "This is your only project, so it stays.": "唯一のプロジェクトなので、削除できません。",
  "Type the name of the project to confirm": "確認のため、プロジェクト名を入力してください",
  Viewer: "閲覧者",
  "What uses the key, such as a script": "キーの用途（スクリプトなど）",
  "Alerts show times in it, unless they go to an account that has chosen its own":
    "アラートはこのタイムゾーンの時刻を表示します。自分のタイムゾーンを選んだアカウント宛てのものを除きます",
  "Use {zone}, the zone of this browser": "このブラウザのタイムゾーン {zone} を使う"
} as const satisfies Record<string, string>
