/** Texts of the account page. */
export default {
  "A session that you do not know? Sign it out, and ask the operator of this installation for a new password.":
    "心当たりのないセッションがありますか?サインアウトして、このインストールの運営者に新しいパスワードを依頼してください。",
  Ends: "終了",
  Sessions: "セッション",
  "Sign out all other browsers": "ほかのブラウザーをすべてサインアウト",
  "Sign out {name}": "{name} をサインアウト",
  "Signed in": "サインイン",
  "This browser": "このブラウザー",
  "Unknown browser": "不明なブラウザー",
  Verified: "確認済み",
  "{browser} on {system}": "{system} の {browser}"
}
