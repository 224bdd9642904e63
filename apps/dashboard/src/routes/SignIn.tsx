/** `/sign-in` */
import { useSearch } from "@tanstack/react-router"
import { SignInForm } from "../features/account/SignInForm.tsx"
import { t } from "../locales/text.ts"
import { RouteLink } from "../ui/Button.tsx"
import { Frame } from "./Frame.tsx"
import { useEntrance } from "./useEntrance.ts"

const SignIn = () => {
  const { to } = useSearch({ from: "/sign-in" })
  const enter = useEntrance(to)
  return (
    <Frame title={t("Sign in to Kanmon")}>
      <SignInForm onSignedIn={enter} />
      <p className="text-sm text-soft">
        {t("No account yet?")}{" "}
        <RouteLink to="/sign-up" search={{ to }} className="text-accent underline underline-offset-3">
          {t("Create an account")}
        </RouteLink>
      </p>
    </Frame>
  )
}

export default SignIn
