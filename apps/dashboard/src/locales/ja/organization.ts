/** Texts about organizations, their people and roles. */
export default {
  "API keys of the organization": "組織の API キー",
  "For scripts and files that also contain on-call schedules and escalation policies. With its role such a key works in all projects of the organization. A key of one project is in the settings of that project.":
    "オンコールスケジュールやエスカレーションポリシーも含むスクリプトやファイルで使います。キーはそのロールで、組織のすべてのプロジェクトで機能します。1 つのプロジェクトだけのキーは、そのプロジェクトの設定にあります。",
  "Critical alerts reach them by email alone.": "重大なアラートはメールでのみ届きます。",
  "Critical alerts do not reach them.": "重大なアラートは届きません。",
  "The organization": "組織",
  "My account": "自分のアカウント",
  Invitation: "招待",
  "{name} invites you to the organization {organization}.":
    "{name} さんが、組織 {organization} にあなたを招待しています。",
  "Your role": "あなたの役割",
  For: "宛先",
  "Delete the organization": "組織を削除",
  "All its projects with their monitors, history, alerts, incidents and status pages are deleted too. Members keep their accounts. A paid plan ends.":
    "すべてのプロジェクトと、その監視、履歴、アラート、インシデント、ステータスページも削除されます。メンバーのアカウントは残ります。有料プランは終了します。",
  "Type the name of the organization to confirm": "確認のため組織の名前を入力",
  "E-mail addresses": "メールアドレス",
  "One or several, on lines of their own or with commas between them": "1 件以上。改行またはカンマで区切ってください",
  Invite: "招待",
  "{count, plural, one {Invite # person} other {Invite # people}}": "{count, plural, other {# 人を招待}}",
  "invited by {name}": "招待者: {name}",
  "Send again to {email}": "{email} に再送",
  "Send again": "再送",
  "Revoke the invitation of {email}": "{email} の招待を取り消す",
  Revoke: "取り消す",
  Invitations: "招待",
  "Invite people": "メンバーを招待",
  "A new mail is on its way to {email}.": "{email} に新しいメールを送信しました。",
  "Nobody is invited at the moment. An invitation is valid for seven days.":
    "現在、招待中の人はいません。招待の有効期間は 7 日間です。",
  "Invite people to {name}": "{name} に招待",
  "Revoke this invitation?": "この招待を取り消しますか？",
  "The link in the mail to {email} stops working.": "{email} 宛てのメールのリンクは使えなくなります。",
  "through single sign-on": "シングルサインオン経由",
  "provisioned by the directory": "ディレクトリから登録",
  You: "あなた",
  "Member since": "参加:",
  "Last seen": "最終アクセス:",
  "second factor": "2 段階認証",
  "Role of {name}": "{name} の役割",
  "The only owner: make somebody else an owner first to change this.":
    "唯一のオーナーです。変更するには、先にほかの人をオーナーにしてください。",
  Members: "メンバー",
  "Leave the organization": "組織から離れる",
  "Leave {name}?": "{name} から離れますか？",
  "Remove {name}?": "{name} を削除しますか？",
  "You lose access to its projects at once. To come back you need a new invitation.":
    "プロジェクトにただちにアクセスできなくなります。戻るには新しい招待が必要です。",
  "Access to the projects ends at once, in open browsers too. What they created stays.":
    "開いているブラウザーも含め、プロジェクトへのアクセスはただちに終了します。作成したものは残ります。",
  "An organization has its own projects, members and plan. You are its owner.":
    "組織には専用のプロジェクト、メンバー、プランがあります。あなたがオーナーになります。",
  "Create the organization": "組織を作成",
  Organization: "組織",
  "Nobody has a role that can be raised.": "引き上げられる役割の人はいません。",
  Member: "メンバー",
  "Role in this project": "このプロジェクトでの役割",
  "Raise the role": "役割を引き上げる",
  "Higher roles in the project {name}": "プロジェクト {name} での上位の役割",
  "Raise a role": "役割を引き上げる",
  "Everybody has the role of the organization here.": "ここでは全員が組織での役割を持ちます。",
  "Higher roles": "上位の役割",
  "Take back the role of {name}": "{name} の役割を元に戻す",
  "Take back": "元に戻す",
  "Raise a role in {name}": "{name} で役割を引き上げる",
  "Create the team": "チームを作成",
  Teams: "チーム",
  "New team": "新しいチーム",
  "No team yet. A team is a set of members with a name, such as “On call”.":
    "チームはまだありません。チームは「オンコール」などの名前を持つメンバーの集まりです。",
  "No members": "メンバーなし",
  "Its members stay in the organization.": "メンバーは組織に残ります。",
  "Your role here is {role}: {rights}.": "ここでのあなたの役割は {role} です（{rights}）。",
  Owner: "オーナー",
  "Can see everything but secrets; cannot act": "秘密情報以外を閲覧できます。操作はできません",
  "Can acknowledge alerts and write incidents; cannot edit":
    "アラートの確認とインシデントの記入ができます。編集はできません",
  "Can edit monitors, channels, rules and status pages; cannot manage people or keys":
    "監視・通知チャンネル・アラートルール・ステータスページを編集できます。メンバーとキーは管理できません",
  "Can manage members, projects and keys; cannot pay, set up single sign-on or delete the organization":
    "メンバー・プロジェクト・キーを管理できます。支払い、シングルサインオンの設定、組織の削除はできません",
  "Can do everything": "すべての操作ができます",
  "Alerts are not sent anywhere until there is a channel.":
    "通知チャンネルを作成するまで、アラートはどこにも送信されません。",
  "You are signed in as {email}, but the invitation is for {invited}.":
    "{email} としてサインインしていますが、この招待は {invited} 宛てです。",
  "Sign out and go on as {email}": "サインアウトして {email} として続行",
  "Accept the invitation": "招待を承諾",
  Decline: "辞退",
  "Sign in to accept the invitation.": "招待を承諾するにはサインインしてください。",
  "Create your account to accept the invitation.": "招待を承諾するにはアカウントを作成してください。",
  "Create an account instead": "代わりにアカウントを作成",
  "I have an account": "アカウントを持っています",
  "This invitation is not valid: it was used, revoked, or is older than seven days. Ask for a new one.":
    "この招待は無効です。使用済みか、取り消されたか、7 日以上経過しています。新しい招待を依頼してください。",
  "Editors of the project can add monitors.": "プロジェクトの編集者が監視を追加できます。",
  "You belong to no organization": "どの組織にも所属していません",
  "Ask somebody for an invitation, or create an organization of your own.":
    "招待を依頼するか、自分の組織を作成してください。",
  "New organization": "新しい組織",
  "New project": "新しいプロジェクト",
  "Create the project": "プロジェクトを作成",
  "A project has its own monitors, channels, rules and status pages. Everybody in the organization is in it.":
    "プロジェクトには独自の監視、通知チャンネル、アラートルール、ステータスページがあります。組織の全員が参加します。",
  "You are no longer a member of {organization}: somebody removed you, or the organization was deleted.":
    "あなたは {organization} のメンバーではなくなりました。誰かがあなたを削除したか、組織が削除されました。",
  "The project {name} of {organization} was deleted, or you were removed from it.":
    "{organization} のプロジェクト {name} が削除されたか、あなたが外されました。",
  "Organization and project": "組織とプロジェクト",
  "Your role does not allow this": "あなたの役割では許可されていません",
  "Your role in {project} is {role}: {rights}.": "{project} でのあなたの役割は {role} です（{rights}）。",
  "This page needs the role {role} or a higher one. An administrator of the organization can give it to you.":
    "このページには {role} 以上の役割が必要です。組織の管理者に依頼してください。",
  "This installation sends no mail: the link of each invitation is printed on the console of the server.":
    "この環境はメールを送信しません。各招待のリンクはサーバーのコンソールに出力されます。",
  "A new link for {email} is printed on the console of the server.":
    "{email} の新しいリンクがサーバーのコンソールに表示されます。"
}
