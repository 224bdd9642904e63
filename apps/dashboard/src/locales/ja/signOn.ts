/** Texts about single sign-on. */
export default {
  "Test|noun": "テスト",
  "Identity provider": "ID プロバイダー",
  Protocol: "プロトコル",
  "Enter this at your identity provider": "ID プロバイダーに設定する値",
  "Redirect URI": "リダイレクト URI",
  "ACS URL (reply URL)": "ACS URL（応答 URL）",
  "Entity ID (audience), which is the address of the metadata":
    "エンティティ ID（対象）。メタデータのアドレスでもあります",
  "Address that begins a sign-in, for portals": "サインインを開始するアドレス（ポータル用）",
  Issuer: "発行者（Issuer）",
  "Such as https://login.example.com; its configuration is below /.well-known/openid-configuration":
    "例: https://login.example.com。その下に /.well-known/openid-configuration があります",
  "Client ID": "クライアント ID",
  "Client secret": "クライアントシークレット",
  "One is stored. Leave this empty to keep it.": "保存済みです。変更しない場合は空のままにしてください。",
  "Empty for public clients, which PKCE protects alone": "PKCE のみで保護されるパブリッククライアントでは空",
  Scopes: "スコープ",
  "Beside openid": "openid 以外",
  "Claim with the groups": "グループを含むクレーム",
  "Entity ID of the identity provider": "ID プロバイダーのエンティティ ID",
  "Sign-in URL (HTTP-Redirect)": "サインイン URL（HTTP-Redirect）",
  "Signing certificate": "署名証明書",
  "PEM; two, one after the other, while the provider changes it": "PEM 形式。更新中は 2 つ続けて入力できます",
  "Attribute: e-mail": "属性: メール",
  "Attribute: name": "属性: 名前",
  "Attribute: groups": "属性: グループ",
  "Save and test first: the test works before it is switched on.":
    "先に保存してテストしてください。有効にする前でもテストできます。",
  "Members can sign in with it": "メンバーのサインインを許可",
  "Passwords of your domains no longer sign in. Owners with a second factor keep theirs for emergencies, which is recorded.":
    "これらのドメインのパスワードではサインインできなくなります。2 段階認証を設定したオーナーは緊急時に使えますが、記録されます。",
  "Prove a domain first.": "先にドメインを証明してください。",
  "Require it for the addresses of your domains": "自組織のドメインのアドレスに必須とする",
  "Saved.": "保存しました。",
  "Remove the identity provider": "ID プロバイダーを削除",
  "Remove the identity provider?": "ID プロバイダーを削除しますか？",
  "It can no longer be used to sign in. Members stay, and sign in with a password that they set by mail.":
    "このプロバイダーではサインインできなくなります。メンバーは残り、メールで設定したパスワードでサインインします。",
  "Groups and roles": "グループと役割",
  "At every sign-in a member gets the highest role that one of their groups gives.":
    "サインインのたびに、所属グループが与える最も高い役割が割り当てられます。",
  "Add a group": "グループを追加",
  "People in none of these groups": "どのグループにも属さない人",
  "Invited people keep the role of the invitation, or the one that was given later.":
    "招待された人は、招待時の役割、または後から与えられた役割を保ちます。",
  "You have no second factor: while the identity provider fails, you could not sign in either. Set one up on the page of your account.":
    "2 段階認証が設定されていません。ID プロバイダーに障害が起きると、あなたもサインインできなくなります。アカウントのページで設定してください。",
  "May not sign in": "サインイン不可",
  "Not proven yet": "未証明",
  Proven: "証明日時",
  "Create this TXT record where the DNS of the domain is managed:":
    "ドメインの DNS に次の TXT レコードを作成してください:",
  Value: "値",
  Domains: "ドメイン",
  "For addresses of these domains your identity provider decides who signs in, so you have to prove that they are yours.":
    "これらのドメインのアドレスでは ID プロバイダーがサインインを判断するため、所有していることを証明する必要があります。",
  "Add the domain": "ドメインを追加",
  "People with an address of this domain can no longer sign in through your identity provider.":
    "このドメインのアドレスの人は、ID プロバイダー経由でサインインできなくなります。",
  "Test the sign-in": "サインインをテスト",
  "Opens the identity provider in a new tab. When you have signed in there, you see every claim that it sent and the role that it gives. The test starts no session.":
    "ID プロバイダーを新しいタブで開きます。そこでサインインすると、送信されたすべてのクレームと、与えられる役割が表示されます。実際のサインインは行われません。",
  "Open the test": "テストを開く",
  "Your plan has no single sign-on": "ご利用のプランにはシングルサインオンがありません",
  "With it, members sign in through your own identity provider, which also decides their roles.":
    "メンバーは組織の ID プロバイダーでサインインし、役割もそこで決まります。",
  Provisioning: "プロビジョニング",
  "New token": "新しいトークン",
  "By SCIM 2.0 your identity provider makes people members before they sign in, and takes their access away the moment they leave. Groups give roles, as with single sign-on.":
    "SCIM 2.0 により、ID プロバイダーはサインイン前に人をメンバーとして登録し、離れた時点でアクセスを取り消します。役割はシングルサインオンと同じくグループで決まります。",
  "Prove a domain first: only people with an address of a proven domain can be provisioned.":
    "先にドメインを証明してください。証明済みドメインのアドレスを持つ人だけをプロビジョニングできます。",
  "Base URL": "ベース URL",
  "Copy the token {name} now: it is not shown again.": "トークン {name} を今コピーしてください。再表示はされません。",
  Tokens: "トークン",
  "New token for your identity provider": "ID プロバイダー用の新しいトークン",
  "Create token": "トークンを作成",
  "The identity provider that uses it. The audit log shows this name":
    "使用する ID プロバイダー。監査ログにはこの名前が表示されます",
  "The identity provider that uses it is refused from then on. Members stay as they are.":
    "使用している ID プロバイダーは以後拒否されます。メンバーはそのままです。"
}
