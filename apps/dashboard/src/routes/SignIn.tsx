/** `/sign-in` */
import { useSearch } from "@tanstack/react-router"
import { useMethods } from "../api/methods.ts"
import { SignInForm } from "../features/account/SignInForm.tsx"
import { t } from "../locales/text.ts"
import { RouteLink } from "../ui/Button.tsx"
import { Notice } from "../ui/Notice.tsx"
import { Frame } from "./Frame.tsx"
import { useEntrance } from "./useEntrance.ts"

const SignIn = () => {
  const { reset, to } = useSearch({ from: "/sign-in" })
  const enter = useEntrance(to)
  const methods = useMethods()
  return (
    <Frame title={t("Sign in to Kanmon")}>
      {reset === true && <Notice tone="up">{t("The password is changed. Sign in with it.")}</Notice>}
      <SignInForm onSignedIn={enter} to={to} />
      {methods?.signUp !== "closed" && (
        <p className="text-sm text-soft">
          {t("No account yet?")}{" "}
          <RouteLink to="/sign-up" search={{ to }} className="text-accent underline underline-offset-3">
            {t("Create an account")}
          </RouteLink>
        </p>
      )}
    </Frame>
  )
}

export default SignIn
