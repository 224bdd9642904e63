/** The mails about accounts in Japanese. */
import type { Role } from "@kanmon/domain/Role"
import type { Wordings } from "./AccountMailWording.ts"

const roles: Readonly<Record<Role, string>> = {
  owner: "オーナー",
  admin: "管理者",
  editor: "編集者",
  responder: "対応者",
  viewer: "閲覧者"
}

const notYou =
  "心当たりがない場合は、ただちにパスワードを再設定し、すべてのセッションを終了したうえで、運営者にご連絡ください。"

export const ja: Wordings = {
  verifyAddress: ({ hours }, host) => ({
    subject: "メールアドレスの確認をお願いします",
    paragraphs: [
      `このメールアドレスで ${host} のアカウントが作成されました。`,
      "ご本人の場合は、次のリンクを開き、アカウントのパスワードを入力してください。"
    ],
    button: "メールアドレスを確認する",
    notes: [`リンクの有効期限は ${hours} 時間です。アカウントを作成していない場合は、このメールを無視してください。`]
  }),
  resetPassword: ({ hours }, host) => ({
    subject: "パスワードの再設定",
    paragraphs: [
      `${host} のアカウントについて、パスワードの再設定が申し込まれました。`,
      "次のリンクを開き、新しいパスワードを設定してください。"
    ],
    button: "新しいパスワードを設定する",
    notes: [
      `リンクの有効期限は ${hours} 時間で、一度だけ使えます。心当たりがない場合は、このメールを無視してください。パスワードは変わりません。`
    ]
  }),
  confirmNewAddress: ({ hours }, host) => ({
    subject: "新しいメールアドレスの確認をお願いします",
    paragraphs: [
      `${host} のアカウントで、今後このメールアドレスを使う手続きが行われました。`,
      "ご本人の場合は、次のリンクを開いてメールアドレスを確認してください。"
    ],
    button: "メールアドレスを確認する",
    notes: [
      `リンクの有効期限は ${hours} 時間で、一度だけ使えます。心当たりがない場合は、このメールを無視してください。何も変わりません。`
    ]
  }),
  newAddressRequested: ({ newAddress }, host) => ({
    subject: "アカウントに新しいメールアドレスが入力されました",
    paragraphs: [
      `${host} のアカウントにサインインしている方が、メールアドレスを ${newAddress} に変更しようとしています。変更は、そのアドレスで確認された時点で有効になります。`
    ],
    notes: [notYou]
  }),
  addressChanged: ({ newAddress }, host) => ({
    subject: "アカウントのメールアドレスが変更されました",
    paragraphs: [
      `${host} のアカウントのメールアドレスは ${newAddress} に変更されました。このメールが届いた以前のアドレスでは、サインインできなくなりました。`
    ],
    notes: ["心当たりがない場合は、ただちに運営者にご連絡ください。"]
  }),
  passwordChanged: ({ endedEarlierAccess = false }, host) => ({
    subject: "パスワードが変更されました",
    paragraphs: [
      `${host} のアカウントのパスワードが変更され、ほかのセッションはすべて終了しました。`,
      ...(endedEarlierAccess
        ? [
            "これまでメールアドレスが確認されていなかったため、第三者がこのアカウントを準備していた可能性があります。API キー、招待、パスキー、2 段階認証、シングルサインオンは削除され、通知チャンネルはすべて停止されました。各チャンネルの送信先を確認し、設定を保存し直してください。"
          ]
        : [])
    ],
    notes: [notYou]
  }),
  secondFactorOn: (_, host) => ({
    subject: "2 段階認証が有効になりました",
    paragraphs: [
      `今後 ${host} のアカウントへのサインインには、パスワードに加えて認証アプリのコードが必要です。`,
      "バックアップコードは安全な場所に保管してください。認証アプリを使えなくなったとき、コードごとに一度だけサインインできます。"
    ],
    notes: [notYou]
  }),
  secondFactorOff: (_, host) => ({
    subject: "2 段階認証が無効になりました",
    paragraphs: [`${host} のアカウントには、再びパスワードだけでサインインできます。`],
    notes: [notYou]
  }),
  backupCodeUsed: ({ left }, host) => ({
    subject: "バックアップコードが使われました",
    paragraphs: [
      `${host} のアカウントに、バックアップコードでサインインが行われました。残りは ${left} 個です。新しいコードはプロフィールで作成できます。`
    ],
    notes: [notYou]
  }),
  passkeyAdded: ({ name }, host) => ({
    subject: "アカウントにパスキーが追加されました",
    paragraphs: [`パスキー「${name}」で ${host} のアカウントにサインインできるようになりました。`],
    notes: [
      "心当たりがない場合は、プロフィールでパスキーを削除し、ただちにパスワードを再設定して、すべてのセッションを終了してください。"
    ]
  }),
  signOnConnected: ({ name }, host) => ({
    subject: "アカウントにシングルサインオンが接続されました",
    paragraphs: [
      `今後「${name}」の ID プロバイダーで ${host} のアカウントにサインインできます。組織の ID プロバイダーで開けるのは、その組織だけです。`
    ],
    notes: ["心当たりがない場合は、ただちにパスワードを再設定してすべてのセッションを終了し、運営者にご連絡ください。"]
  }),
  contactMethodChanged: ({ change, name, type }, host) => {
    const happened = { added: "追加", changed: "変更", deleted: "削除" }[change]
    return {
      subject: `連絡方法が${happened}されました`,
      paragraphs: [
        `${host} のアカウントの連絡方法「${name}」（${type}）が${happened}されました。連絡方法は、オンコール当番のときに通知を受け取るためのものです。`
      ],
      notes: [notYou]
    }
  },
  accountDeleted: (_, host) => ({
    subject: "アカウントが削除されました",
    paragraphs: [`${host} のアカウントと、そのアカウントだけに属していたものが削除されました。`],
    notes: ["心当たりがない場合は、ただちに運営者にご連絡ください。"]
  }),
  invitation: ({ days, invitedBy, organization, role }, host) => ({
    subject: `${invitedBy} さんから Kanmon の「${organization}」への招待が届きました`,
    paragraphs: [
      `${invitedBy} さんから、${host} の組織「${organization}」への招待が届きました（役割：${roles[role]}）。`,
      "次のリンクを開き、承諾するか辞退するかを選んでください。"
    ],
    button: "招待を開く",
    notes: [
      `リンクの有効期限は ${days} 日間で、一度だけ使えます。招待した方に心当たりがない場合は、このメールを無視してください。`
    ]
  })
}
