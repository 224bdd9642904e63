/** `/settings/account`: who is signed in, how, and where. */
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { sessionQuery } from "../api/session.ts"
import { Together } from "../api/Together.tsx"
import { DeleteAccount } from "../features/account/DeleteAccount.tsx"
import { Passkeys } from "../features/account/Passkeys.tsx"
import { Password } from "../features/account/Password.tsx"
import { Profile } from "../features/account/Profile.tsx"
import { SecondFactor } from "../features/account/SecondFactor.tsx"
import { Sessions, sessionsQuery } from "../features/account/Sessions.tsx"
import { t } from "../locales/text.ts"

const Account = () => {
  const { data } = useQuery(sessionQuery)
  const client = useQueryClient()
  const navigate = useNavigate()
  if (data == null) return null
  const { user } = data
  return (
    <>
      <title>{`${t("Account")} · Kanmon`}</title>
      <Together>
        <Profile user={user} />
        <Password onChanged={() => void client.invalidateQueries({ queryKey: sessionsQuery.queryKey })} />
        <SecondFactor isOn={user.twoFactorEnabled} />
        <Passkeys />
        <Sessions />
        <DeleteAccount
          user={user}
          onDeleted={() => {
            client.clear()
            client.setQueryData(sessionQuery.queryKey, null)
            void navigate({ to: "/sign-in", search: {} })
          }}
        />
      </Together>
    </>
  )
}

export default Account
