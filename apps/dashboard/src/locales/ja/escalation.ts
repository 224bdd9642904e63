/** Texts of the escalation of alerts. */
export default {
  "Page to {name} is under way": "{name} を呼び出し中",
  "Page to {name}": "{name} を呼び出しました",
  "Page to {name} failed": "{name} の呼び出しに失敗しました",
  "Page to {name} was taken back": "{name} の呼び出しを取り消しました",
  "{name} by {method}": "{name}({method})",
  "{count, plural, one {in one message with # other alert} other {in one message with # other alerts}}":
    "{count, plural, other {ほか # 件のアラートと 1 通で}}",
  "{count, plural, one {# attempt} other {# attempts}}": "{count, plural, other {# 回試行}}",
  "answered {at}": "応答 {at}",
  "Step {number} begins": "ステップ {number} を開始",
  "Round {round}, step {step} begins": "{round} 回目、ステップ {step} を開始",
  "The policy is over, and no one has answered": "ポリシーが終了しましたが、誰も応答していません",
  "The policy is over, and no one has answered.": "ポリシーが終了しましたが、誰も応答していません。",
  "Held by a silence or maintenance": "サイレンスまたはメンテナンスにより保留中",
  "No longer held: the policy begins again": "保留を解除し、ポリシーを最初から開始",
  "Acknowledgement taken back by {name}": "{name} が確認を取り消しました",
  "The acknowledgement has ended: the alert is open again": "確認の期限が切れ、アラートは再び未確認になりました",
  "Snoozed by {name} until {at}": "{name} が {at} までスヌーズしました",
  "Escalated by {name}": "{name} がエスカレーションしました",
  "{name} asked for {target}": "{name} が {target} を呼び出しました",
  Whom: "相手",
  Note: "メモ",
  "They are told by their own notification rules until they answer.": "応答するまで、各自の通知ルールで知らせます。",
  "Add somebody": "担当者を追加",
  "{count, plural, one {# person is paged.} other {# people are paged.}}":
    "{count, plural, other {# 人を呼び出します。}}",
  "{count, plural, one {# person cannot be reached.} other {# people cannot be reached.}}":
    "{count, plural, other {# 人には連絡できません。}}",
  "Escalate now": "今すぐエスカレーション",
  "A silence or maintenance holds the escalation.": "サイレンスまたはメンテナンスがエスカレーションを保留しています。",
  "The round is over at {at}, unless somebody acknowledges.": "誰も確認しなければ、{at} にこの回が終わります。",
  "Step {number} follows at {at}, unless somebody acknowledges.":
    "誰も確認しなければ、{at} にステップ {number} へ進みます。",
  "Page them": "呼び出す",
  Kanmon: "Kanmon"
}
