/** Texts about how people are reached when they are on call. */
export default {
  "Page me now": "今すぐ自分を呼び出す",
  "Acknowledge the test": "テストを確認済みにする",
  "Pages of the test": "テストの呼び出し",
  "Pages you as a critical alert would: by your own rules, with their real delays, until you acknowledge. Use the link in a message to prove the whole way.":
    "重大なアラートと同じように、ご自身のルールと実際の待ち時間で、確認されるまで呼び出します。メッセージ内のリンクを使うと、経路全体を確かめられます。",
  "acknowledged with its link": "リンクで確認済み",
  "is due": "送信予定",
  "is being sent": "送信中",
  "waits for the end of your quiet hours": "通知を控える時間帯の終わりを待っています",
  "delivered|page": "配信済み",
  "not delivered|page": "配信できませんでした",
  "not needed any more": "不要になりました",
  "The test runs. Acknowledge it where it reaches you.": "テスト中です。届いた場所で確認してください。",
  "Acknowledged with the link of a page: pages reach you, and your answer arrives.":
    "メッセージのリンクで確認されました。呼び出しは届き、応答も受け取られています。",
  "Acknowledged here.": "ここで確認されました。",
  "Pages were sent, and you did not acknowledge in time.": "呼び出しは送信されましたが、時間内に確認されませんでした。",
  "No page reached you.": "呼び出しは一つも届きませんでした。",
  "A new code is sent there, and nothing else until it is entered.":
    "新しいコードが送信されます。入力されるまで、ほかには何も送信されません。",
  "Add a method": "連絡方法を追加",
  "Add and send a code": "追加してコードを送信",
  "After minutes": "分後",
  "By|means": "方法",
  "Change the rules for {severity}": "「{severity}」のルールを変更",
  "Code for {name}": "{name} のコード",
  Confirmed: "確認済み",
  "Contact methods": "連絡方法",
  "Critical alerts do not reach you: no method for them is confirmed.":
    "重大なアラートが届きません。確認済みの連絡方法がありません。",
  "Critical alerts reach you by email alone, which wakes no one. Add a phone, a messenger or a push service.":
    "重大なアラートはメールでのみ届きます。メールでは目が覚めません。電話、メッセンジャー、プッシュサービスのいずれかを追加してください。",
  "{name} is confirmed, but no rule for critical alerts uses it. Add it to Critical under “When you are paged”.":
    "{name} は確認済みですが、重大なアラートのルールで使われていません。「呼び出されたとき」の「重大」に追加してください。",
  "Critical alerts reach you.": "重大なアラートが届きます。",
  "Email of the account": "アカウントのメール",
  "How your notification rules call it, such as “My phone”": "通知ルールで使う名前（例:「自分の電話」）",
  "Last message": "最後のメッセージ",
  "Minutes count from the page, until you or somebody else acknowledges the alert.":
    "分数は呼び出しから数えます。あなたかほかの誰かがアラートを確認するまで続きます。",
  "Not delivered: {reason}": "送信失敗: {reason}",
  "Nothing is sent there any more. The email address of your account is told.":
    "今後は何も送信されません。アカウントのメールアドレスに通知されます。",
  "Nothing is sent to you.": "何も送信されません。",
  "Passed over until confirmed: {names}.": "確認されるまで使われません: {names}",
  "Remove entry {number}": "項目 {number} を削除",
  "Six digits are on their way there. Until you enter them, nothing else is sent.":
    "6 桁の数字を送信しました。入力するまで、ほかには何も送信されません。",
  "Switched off: {reason}": "停止中: {reason}",
  "The address is not verified": "アドレスが未確認です",
  "Then also": "さらにその後",
  "Waits for its code": "コードの入力待ち",
  "When you are paged": "呼び出されたとき",
  "You are notified {ways}.": "{ways}通知します。",
  Notifications: "通知",
  "a deleted method": "削除された連絡方法",
  "after {duration} by {methods}": "{duration}後に {methods} で",
  "at once by {methods}": "すぐに {methods} で",
  "{name} did not get the test: {reason}": "{name} にテストが届きませんでした: {reason}",
  "{name} got the test: {detail}": "{name} にテストが届きました: {detail}",
  "{severity} alerts": "アラート: {severity}"
}
