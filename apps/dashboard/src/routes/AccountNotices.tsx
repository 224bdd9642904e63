/** Notices about the account on every page: an unverified address, and an administrator who acts as somebody else. */
import { useState } from "react"
import { useMethods } from "../api/methods.ts"
import type { Account, Session } from "../api/session.ts"
import { useSubmit } from "../api/useSubmit.ts"
import { addressOf } from "../browser/place.ts"
import { ResendVerification } from "../features/account/ResendVerification.tsx"
import { useStopImpersonation } from "../features/account/writes.ts"
import { t } from "../locales/text.ts"
import { Button } from "../ui/Button.tsx"

const key = "kanmon.verify.later"

const barClass =
  "flex flex-wrap items-center justify-center gap-x-4 gap-y-1 border-b border-line bg-[color-mix(in_srgb,var(--tone)_14%,var(--surface))] px-4 py-1.5 text-sm"

const Unverified = ({ email }: { readonly email: string }) => {
  const [isHidden, setHidden] = useState(() => sessionStorage.getItem(key) === email)
  const methods = useMethods()
  // Without mail there is no link to open, and nothing to say before it is known.
  if (isHidden || methods?.mail !== true) return null
  return (
    <aside aria-label={t("Verify your address")} className={`is-degraded ${barClass}`}>
      <p className="min-w-0">
        {t("Verify your address: open the link in the mail to {email}.", { email })}{" "}
        <span className="text-soft">{t("Until then you cannot invite people.")}</span>
      </p>
      <div className="flex flex-wrap items-center gap-2">
        <ResendVerification email={email} />
        <Button
          kind="quiet"
          onPress={() => {
            sessionStorage.setItem(key, email)
            setHidden(true)
          }}
        >
          {t("Later|postpone")}
        </Button>
      </div>
    </aside>
  )
}

const Impersonated = ({ user }: { readonly user: Account }) => {
  const { mutateAsync: end } = useStopImpersonation()
  const { errors, isBusy, submit } = useSubmit()
  const stop = () =>
    submit(async () => {
      await end()
      // Nothing of the other account is kept.
      location.assign(addressOf("/settings/installation"))
    })
  return (
    <aside aria-label={t("Acting as somebody else")} className={`is-down sticky top-0 z-30 ${barClass}`}>
      <p className="min-w-0">
        {t("You act as {name} ({email}). Your actions are recorded.", { name: user.name, email: user.email })}
        {errors.general !== undefined && <span className="ms-2 font-medium text-down">{errors.general}</span>}
      </p>
      <Button onPress={() => void stop()} isDisabled={isBusy}>
        {t("Stop")}
      </Button>
    </aside>
  )
}

const AccountNotices = ({ session, user }: { readonly session: Session; readonly user: Account }) =>
  session.impersonatedBy != null ? (
    <Impersonated user={user} />
  ) : user.emailVerified ? null : (
    <Unverified email={user.email} />
  )

export default AccountNotices
