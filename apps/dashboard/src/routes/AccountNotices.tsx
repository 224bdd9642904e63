/** Says on every page that the address of the account is not verified. */
import { useState } from "react"
import { ResendVerification } from "../features/account/ResendVerification.tsx"
import { t } from "../locales/text.ts"
import { Button } from "../ui/Button.tsx"

const key = "kanmon.verify.later"

const barClass =
  "flex flex-wrap items-center justify-center gap-x-4 gap-y-1 border-b border-line bg-[color-mix(in_srgb,var(--tone)_14%,var(--surface))] px-4 py-1.5 text-sm"

const AccountNotices = ({ email }: { readonly email: string }) => {
  const [isHidden, setHidden] = useState(() => sessionStorage.getItem(key) === email)
  if (isHidden) return null
  return (
    <aside aria-label={t("Verify your address")} className={`is-degraded ${barClass}`}>
      <p className="min-w-0">
        {t("Verify your address: open the link in the mail to {email}.", { email })}{" "}
        <span className="text-soft">{t("Until then you cannot invite people.")}</span>
      </p>
      <div className="flex flex-wrap items-center gap-2">
        <ResendVerification />
        <Button
          kind="quiet"
          onPress={() => {
            sessionStorage.setItem(key, email)
            setHidden(true)
          }}
        >
          {t("Later")}
        </Button>
      </div>
    </aside>
  )
}

export default AccountNotices
