/** `/reset-password`: where the link in the mail leads. */
import { useNavigate, useSearch } from "@tanstack/react-router"
import { ResetPasswordForm } from "../features/account/ResetPasswordForm.tsx"
import { t } from "../locales/text.ts"
import { RouteLink } from "../ui/Button.tsx"
import { Notice } from "../ui/Notice.tsx"
import { Frame } from "./Frame.tsx"

const ResetPassword = () => {
  const { error, token } = useSearch({ from: "/reset-password" })
  const navigate = useNavigate()
  return (
    <Frame title={t("Choose a new password")}>
      {token === undefined || error !== undefined ? (
        <Notice
          actions={
            <RouteLink kind="plain" to="/forgot-password" search={{}}>
              {t("Ask for a new link")}
            </RouteLink>
          }
        >
          {t("This link is not valid: it is incomplete, was used, or is too old.")}
        </Notice>
      ) : (
        <ResetPasswordForm
          token={token}
          onDone={() => void navigate({ to: "/sign-in", search: { reset: true }, replace: true })}
        />
      )}
    </Frame>
  )
}

export default ResetPassword
