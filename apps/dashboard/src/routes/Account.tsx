/** `/settings/account`: who is signed in, how, and where. */
import { useQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { sessionQuery } from "../api/session.ts"
import { Parts } from "../api/Parts.tsx"
import { DeleteAccount } from "../features/account/DeleteAccount.tsx"
import { Passkeys } from "../features/account/Passkeys.tsx"
import { Password } from "../features/account/Password.tsx"
import { Profile } from "../features/account/Profile.tsx"
import { SecondFactor } from "../features/account/SecondFactor.tsx"
import { Sessions } from "../features/account/Sessions.tsx"
import { t } from "../locales/text.ts"

const Account = () => {
  const { data } = useQuery(sessionQuery)
  const navigate = useNavigate()
  if (data == null) return null
  const { user } = data
  return (
    <>
      <title>{`${t("Account")} · Kanmon`}</title>
      <Parts>
        <Profile user={user} />
        <Password />
        <SecondFactor isOn={user.twoFactorEnabled} />
        <Passkeys />
        <Sessions />
        <DeleteAccount user={user} onDeleted={() => navigate({ to: "/sign-in", search: {} })} />
      </Parts>
    </>
  )
}

export default Account
