/** Texts of the status pages' management. */
export default {
  "2 to 63 lower-case letters, digits and hyphens": "英小文字・数字・ハイフンで 2～63 文字",
  "A heading covers all monitors below it.": "見出しは、その下にあるすべての監視にかかります。",
  "A name of your own, such as status.example.org. The DNS records that it needs are shown after saving.":
    "status.example.org のような独自の名前です。必要な DNS レコードは保存後に表示されます。",
  "A status page shows your visitors what is up, what is not, and what you do about it.":
    "ステータスページは、何が稼働していて何が停止しているか、どう対応しているかを利用者に知らせます。",
  Add: "追加",
  "Add monitors": "監視を追加",
  Address: "アドレス",
  "Another page has this address. Choose another one.":
    "このアドレスは別のページで使われています。別のアドレスにしてください。",
  "Copy {what}": "{what} をコピー",
  "Create status page": "ステータスページを作成",
  "Create these records where the DNS of the domain is managed:":
    "ドメインの DNS を管理している場所で、次のレコードを作成してください:",
  "Custom domain": "独自ドメイン",
  "Delete this status page?": "このステータスページを削除しますか？",
  "Getting a certificate": "証明書を取得しています",
  Colours: "配色",
  Desktop: "デスクトップ",
  Device: "デバイス",
  Heading: "見出し",
  "Its visitors get “not found”. The monitors stay. Other pages can then have its address.":
    "アクセスすると「見つかりません」と表示されるようになります。監視は残ります。アドレスは別のページで使えるようになります。",
  "Monitors and headings of the page": "ページの監視と見出し",
  "Move down": "下へ移動",
  "Move up": "上へ移動",
  "Move {name}": "{name} を移動",
  "New status page": "新しいステータスページ",
  "No monitor is shown yet": "まだ監視がありません",
  "No status page yet": "まだステータスページがありません",
  "Open the page": "ページを開く",
  "Open the page {name}": "ページ {name} を開く",
  Phone: "スマートフォン",
  Preview: "プレビュー",
  "Preview of the status page": "ステータスページのプレビュー",
  Remove: "削除",
  "Status page": "ステータスページ",
  "Status pages": "ステータスページ",
  "The domain does not work": "ドメインが機能していません",
  "The domain works": "ドメインは機能しています",
  "The preview cannot be shown: {problem}": "プレビューを表示できません: {problem}",
  "The title that visitors see": "利用者に表示されるタイトル",
  "Waiting for the DNS records": "DNS レコードを待っています",
  "What it shows": "表示する内容",
  "With the figures and incidents of this moment. Nothing is published until it is saved.":
    "現在の数値とインシデントで表示しています。保存するまで公開されません。",
  "and those tagged {tags}": "タグ {tags} の付いた監視",
  "{address} is free": "{address} は使えます",
  "{count, plural, one {# monitor} other {# monitors}}": "{count, plural, other {監視 # 件}}",
  "Sites that may embed it": "埋め込みを許可するサイト",
  "Origins such as https://portal.example.org, one a line. They can show its state in a frame.":
    "https://portal.example.org のようなオリジンを 1 行に 1 つ。フレーム内に状態を表示できます。",
  "Put this where the state is to be shown:": "状態を表示する場所に貼り付けてください："
} as const satisfies Record<string, string>
