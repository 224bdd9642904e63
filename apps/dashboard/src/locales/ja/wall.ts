/** Texts of the wall. */
export default {
  "For a screen on a wall, open this address on it:": "壁掛けの画面では、このアドレスを開いてください:",
  "Full screen": "全画面",
  "It may have expired or been deleted. Make a new viewer key in the settings, and open its address here.":
    "期限切れか、削除された可能性があります。設定で閲覧者のキーを新しく作成し、そのアドレスをここで開いてください。",
  "Kanmon does not answer. This was the state {duration} ago.":
    "Kanmon が応答しません。{duration}前の状態を表示しています。",
  "Make a key with the role Viewer in the settings: the address for a screen is shown beside it.":
    "設定で閲覧者の役割を持つキーを作成すると、画面用のアドレスが表示されます。",
  "Result overdue": "結果の遅れ",
  "The key of this screen is not valid": "この画面のキーは無効です",
  "The others": "その他",
  "This address has no key": "このアドレスにはキーがありません",
  "Needs attention": "対応が必要なもの"
} as const satisfies Record<string, string>
