/** Texts of the account page. */
export default {
  "Later|postpone": "後で",
  "Download|action": "ダウンロード",
  "On|state": "オン",
  "Ends|session": "終了",
  Sessions: "セッション",
  "Sign out all other browsers": "ほかのブラウザーをすべてサインアウト",
  "Sign out {name}": "{name} をサインアウト",
  "Signed in": "サインイン",
  "This browser": "このブラウザー",
  "Unknown browser": "不明なブラウザー",
  Verified: "確認済み",
  "{browser} on {system}": "{system} の {browser}",
  "Backup codes for Kanmon, each for one sign-in:": "Kanmon のバックアップコード（各コードは 1 回のみ有効）:",
  "Each code signs you in once when your phone is lost. Keep them where you keep passwords: they are not shown again.":
    "電話をなくしたとき、各コードで 1 回だけサインインできます。パスワードと同じ場所に保管してください。再び表示されることはありません。",
  Print: "印刷",
  "Backup code": "バックアップコード",
  "Code from your app": "アプリのコード",
  "You are signed out everywhere, and your passkeys, backup codes and logins of programs end.":
    "すべての場所でサインアウトされ、パスキー、バックアップコード、プログラムのサインインも無効になります。",
  "The organization {name} is deleted with its projects, monitors, history and status pages.":
    "組織 {name} は、プロジェクト、監視、履歴、ステータスページとともに削除されます。",
  "You leave the organization {name}, which stays.": "組織 {name} から離れます。組織は残ります。",
  "Type your e-mail address to confirm": "確認のためメールアドレスを入力",
  "Without a password: sign in again shortly before, and leave this empty.":
    "パスワードがない場合は、直前にサインインし直し、空のままにしてください。",
  "Delete the account": "アカウントを削除",
  "Your data": "あなたのデータ",
  "Everything that Kanmon knows about you and what you alone own, as a JSON file.":
    "Kanmon が保持するあなたの情報と、あなただけが所有するものを JSON ファイルで取得できます。",
  "Download my data": "データをダウンロード",
  "Delete your account?": "アカウントを削除しますか？",
  "We send you a link to choose a new password.": "新しいパスワードを設定するためのリンクを送信します。",
  "Send the link": "リンクを送信",
  Passkey: "パスキー",
  "To tell it from others, such as the device it is on": "区別するための名前（例: 保存したデバイス）",
  Passkeys: "パスキー",
  "Add a passkey": "パスキーを追加",
  "A passkey signs you in with your fingerprint, your face or the PIN of a device, instead of the password.":
    "パスキーを使うと、パスワードの代わりに指紋、顔、またはデバイスの PIN でサインインできます。",
  "Browsers keep passkeys only for names with HTTPS, and for localhost.":
    "ブラウザーは、HTTPS のホスト名と localhost でのみパスキーを保存します。",
  Added: "追加日時",
  "on all your devices": "すべてのデバイスで利用可能",
  "Rename {name}": "{name} の名前を変更",
  "Remove {name}": "{name} を削除",
  "Rename the passkey": "パスキーの名前を変更",
  "Remove this passkey?": "このパスキーを削除しますか？",
  "It no longer signs you in. Delete it in your password manager, too.":
    "このパスキーではサインインできなくなります。パスワードマネージャーからも削除してください。",
  "Current password": "現在のパスワード",
  "New password": "新しいパスワード",
  "Change the password": "パスワードを変更",
  "The password is changed.": "パスワードを変更しました。",
  "Accounts that sign in with an identity provider have none here.":
    "ID プロバイダーでサインインするアカウントには、ここでのパスワードはありません。",
  "Your password": "パスワード",
  "The address changes when you open the link in the mail that goes to the new one.":
    "新しいアドレスに届くメールのリンクを開くと、アドレスが変更されます。",
  "New address": "新しいアドレス",
  Profile: "プロフィール",
  "Not verified": "未確認",
  "Change the address": "アドレスを変更",
  "A mail with a link is on its way to {email}.": "リンクを記載したメールを {email} に送信しました。",
  "Of the dashboard and of mails to you": "ダッシュボードと、あなた宛てのメールの言語",
  "Send the mail again": "メールを再送",
  "The mail is on its way.": "メールを送信しました。",
  "You are signed out everywhere else when it is changed.": "変更すると、ほかのすべての場所でサインアウトされます。",
  "Set the password": "パスワードを設定",
  "Scan this with an authenticator app, such as the one of your password manager.":
    "認証アプリ（パスワードマネージャーのものなど）で読み取ってください。",
  "QR code with the secret": "秘密鍵の QR コード",
  "Or type the secret:": "または秘密鍵を入力:",
  "Switch on": "有効にする",
  "Set up a second factor": "2 段階認証を設定",
  "Backup codes": "バックアップコード",
  "New backup codes": "新しいバックアップコード",
  "Switch off the second factor": "2 段階認証を無効にする",
  "Second factor": "2 段階認証",
  Off: "オフ",
  "A sign-in with the password also asks for a code from your app.":
    "パスワードでサインインするとき、アプリのコードも求められます。",
  "With it, the password alone does not let anybody in: a code from an app is asked for, too.":
    "有効にすると、パスワードだけではサインインできず、アプリのコードも必要になります。",
  "Switch off": "無効にする",
  "Set up": "設定",
  "Make new codes": "新しいコードを作成",
  "The old codes stop working.": "古いコードは使えなくなります。",
  "I have kept them": "保管しました",
  "From then on the password alone signs in. The backup codes are deleted.":
    "以後はパスワードだけでサインインします。バックアップコードは削除されます。",
  "Each backup code works once.": "各バックアップコードは 1 回だけ使えます。",
  "Enter the code that your authenticator app shows for Kanmon.":
    "認証アプリに表示されている Kanmon のコードを入力してください。",
  "Do not ask again in this browser for 30 days": "このブラウザーでは 30 日間尋ねない",
  "Use your app": "アプリを使う",
  "Use a backup code": "バックアップコードを使う",
  "A session that you do not know? Sign it out, and change your password.":
    "心当たりのないセッションがありますか？サインアウトして、パスワードを変更してください。",
  "Forgot your password?": "パスワードをお忘れですか？",
  or: "または",
  "Continue with {name}": "{name} で続行",
  "Sign in with a passkey": "パスキーでサインイン",
  "Your address at work leads to the sign-in of your organization.":
    "職場のメールアドレスから、組織のサインインへ移動します。",
  "This device has a passkey for your account already.": "このデバイスには、すでにアカウントのパスキーがあります。",
  "No program waits with this code. It may be mistyped, used already or older than ten minutes.":
    "このコードで待機しているプログラムはありません。入力ミスか、使用済みか、10 分以上経過しています。",
  "Code that the program shows": "プログラムに表示されているコード",
  Program: "プログラム",
  "Calls itself": "プログラムが申告した名前",
  "A program asks to sign in as you. Allow it only if you have just started it, and it shows this code:":
    "プログラムがあなたとしてサインインしようとしています。自分で今起動し、次のコードが表示されている場合にのみ許可してください:",
  Asked: "申請日時",
  "It may then do what you may do, until you sign it out on the page of your account.":
    "アカウントのページでサインアウトするまで、あなたと同じ操作ができます。",
  Allow: "許可",
  Refuse: "拒否",
  "The program is signed in. You can close this page and go back to it.":
    "プログラムはサインインしました。このページを閉じて戻ることができます。",
  "The program was refused.": "プログラムを拒否しました。",
  "Sign in a program": "プログラムのサインイン",
  "Back to the sign-in": "サインインに戻る",
  "Choose a new password": "新しいパスワードを設定",
  "Ask for a new link": "新しいリンクを申請",
  "This link is not valid: it is incomplete, was used, or is too old.":
    "このリンクは無効です。不完全か、使用済みか、期限切れです。",
  "The password is changed. Sign in with it.": "パスワードを変更しました。新しいパスワードでサインインしてください。",
  "Verify your address": "アドレスの確認",
  "Verify your address: open the link in the mail to {email}.":
    "アドレスを確認してください: {email} 宛てのメールのリンクを開いてください。",
  "Until then you cannot invite people.": "それまでは、ほかの人を招待できません。",
  "Acting as somebody else": "代理操作中",
  "You act as {name} ({email}). Your actions are recorded.":
    "{name}（{email}）として操作しています。操作は記録されます。",
  Stop: "終了",
  "Account and security": "アカウントとセキュリティ",
  "Confirm that it is you": "本人確認",
  "This gives lasting access, and you signed in a while ago. An account without a password signs in again.":
    "この操作は継続的なアクセスを与えるものですが、サインインから時間がたっています。パスワードのないアカウントはもう一度サインインしてください。",
  "This installation sends no mail. If there is an account with the address {email}, the person who runs it finds the link on the console of the server.":
    "この環境はメールを送信しません。{email} のアカウントがある場合、運営者がサーバーのコンソールでリンクを確認できます。",
  "If there is an account with the address {email}, a mail with a link is on its way to it. Look in the folder for spam, too.":
    "{email} のアカウントがある場合は、リンクを記載したメールを送信しました。迷惑メールフォルダーも確認してください。",
  "Your organization requires its own sign-in for this address.": "このアドレスには、組織のサインインが必要です。",
  "I am an owner: sign in without it, which is recorded": "オーナーとして通常のサインインを使う（記録されます）",
  "None is chosen: mails of alerts show the time of the project, others UTC":
    "選択されていません。アラートのメールはプロジェクトの時刻、その他は UTC で表示します",
  "Mails to you show times in it": "あなた宛てのメールはこのタイムゾーンの時刻を表示します",
  "Choose none": "選択を解除",
  "Make a new link": "新しいリンクを作成",
  "This installation sends no mail: the link is printed on the console of the server.":
    "この環境はメールを送信しません。リンクはサーバーのコンソールに表示されます。"
}
