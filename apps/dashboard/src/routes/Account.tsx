/** `/settings/account`: who is signed in, and where. */
import { useQuery } from "@tanstack/react-query"
import { sessionQuery } from "../api/session.ts"
import { Sessions } from "../features/account/Sessions.tsx"
import { t } from "../locales/text.ts"
import { cardClass } from "../ui/classes.ts"

const Account = () => {
  const { data } = useQuery(sessionQuery)
  if (data == null) return null
  const { email, emailVerified, name } = data.user
  return (
    <>
      <title>{`${t("Account")} · Kanmon`}</title>
      <section className={cardClass}>
        <h2>{t("Account")}</h2>
        <dl className="grid gap-x-6 gap-y-1 text-sm sm:grid-cols-[8rem_minmax(0,1fr)]">
          <dt className="text-soft">{t("Name")}</dt>
          <dd>
            <bdi className="break-words">{name}</bdi>
          </dd>
          <dt className="text-soft">{t("Email")}</dt>
          <dd>
            <bdi className="break-all">{email}</bdi>
            {emailVerified && <span className="ms-2 text-soft">{t("Verified")}</span>}
          </dd>
        </dl>
      </section>
      <Sessions />
    </>
  )
}

export default Account
