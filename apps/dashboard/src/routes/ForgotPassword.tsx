/** `/forgot-password` */
import { useSearch } from "@tanstack/react-router"
import { ForgotPasswordForm } from "../features/account/ForgotPasswordForm.tsx"
import { t } from "../locales/text.ts"
import { RouteLink } from "../ui/Button.tsx"
import { Frame } from "./Frame.tsx"

const ForgotPassword = () => {
  const { email } = useSearch({ from: "/forgot-password" })
  return (
    <Frame title={t("Forgot your password?")}>
      <ForgotPasswordForm email={email} />
      <RouteLink to="/sign-in" search={{}} className="w-fit text-sm text-accent underline underline-offset-3">
        {t("Back to the sign-in")}
      </RouteLink>
    </Frame>
  )
}

export default ForgotPassword
