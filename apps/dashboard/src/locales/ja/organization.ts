/** Texts about organizations, their people and roles. */
export default {
  "Your role here is {role}: {rights}.": "ここでのあなたの役割は{role}です ({rights})。",
  Owner: "オーナー",
  "Can see everything but secrets; cannot act": "秘密情報以外を閲覧できます。操作はできません",
  "Can acknowledge alerts and write incidents; cannot edit":
    "アラートの確認とインシデントの記入ができます。編集はできません",
  "Can edit monitors, channels, rules and status pages; cannot manage people or keys":
    "監視・チャンネル・ルール・ステータスページを編集できます。メンバーとキーは管理できません",
  "Can manage members, projects and keys; cannot pay, set up single sign-on or delete the organization":
    "メンバー・プロジェクト・キーを管理できます。支払い、シングルサインオンの設定、組織の削除はできません",
  "Can do everything": "すべての操作ができます",
  "Alerts are not sent anywhere until there is a channel.":
    "チャンネルができるまで、アラートはどこにも送信されません。",
  "Editors of the project can add monitors.": "プロジェクトの編集者が監視を追加できます。",
  "Your role does not allow this": "あなたの役割では許可されていません",
  "Your role in {project} is {role}: {rights}.": "{project} でのあなたの役割は{role}です ({rights})。",
  "This page needs the role {role} or a higher one. An administrator of the organization can give it to you.":
    "このページには{role}以上の役割が必要です。組織の管理者に依頼してください。"
}
