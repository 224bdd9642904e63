/** Texts of the account page. */
export default {
  Ends: "終了",
  Sessions: "セッション",
  "Sign out all other browsers": "ほかのブラウザーをすべてサインアウト",
  "Sign out {name}": "{name} をサインアウト",
  "Signed in": "サインイン",
  "This browser": "このブラウザー",
  "Unknown browser": "不明なブラウザー",
  Verified: "確認済み",
  "{browser} on {system}": "{system} の {browser}",
  "Send the mail again": "メールを再送",
  "The mail is on its way.": "メールを送信しました。",
  "No program waits with this code. It may be mistyped, used already or older than ten minutes.":
    "このコードで待機しているプログラムはありません。入力ミスか、使用済みか、10 分以上経過しています。",
  "Code that the program shows": "プログラムに表示されているコード",
  Program: "プログラム",
  "Calls itself": "自称",
  "A program asks to sign in as you. Allow it only if you have just started it, and it shows this code:":
    "プログラムがあなたとしてサインインしようとしています。自分で今起動し、次のコードが表示されている場合にのみ許可してください:",
  Asked: "要求日時",
  "It may then do what you may do, until you sign it out on the page of your account.":
    "アカウントのページでサインアウトするまで、あなたと同じ操作ができます。",
  Allow: "許可",
  Refuse: "拒否",
  "The program is signed in. You can close this page and go back to it.":
    "プログラムはサインインしました。このページを閉じて戻ることができます。",
  "The program was refused.": "プログラムを拒否しました。",
  "Sign in a program": "プログラムのサインイン",
  "Verify your address": "アドレスの確認",
  "Verify your address: open the link in the mail to {email}.":
    "アドレスを確認してください: {email} 宛てのメールのリンクを開いてください。",
  "A session that you do not know? Sign it out, and ask the operator of this installation for a new password.":
    "心当たりのないセッションがありますか?サインアウトして、このインストールの運営者に新しいパスワードを依頼してください。"
}
