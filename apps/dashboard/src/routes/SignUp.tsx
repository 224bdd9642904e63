/** `/sign-up` */
import { useSearch } from "@tanstack/react-router"
import { useState } from "react"
import { useMethods } from "../api/methods.ts"
import { SignOnForm } from "../features/account/SignOnForm.tsx"
import { SignUpForm } from "../features/account/SignUpForm.tsx"
import { t } from "../locales/text.ts"
import { RouteLink } from "../ui/Button.tsx"
import { Notice } from "../ui/Notice.tsx"
import { Frame } from "./Frame.tsx"
import { useEntrance } from "./useEntrance.ts"

const SignUp = () => {
  const { to } = useSearch({ from: "/sign-up" })
  const enter = useEntrance(to)
  const methods = useMethods()
  const first = methods?.signUp === "open" ? methods.firstAccount : null
  const [isRefused, setRefused] = useState(false)
  const [required, setRequired] = useState<string | undefined>(undefined)
  return (
    <Frame title={first === null ? t("Create an account") : t("Set up Kanmon")}>
      {first !== null && (
        <p className="text-sm text-soft">
          {first.needsCode
            ? t(
                "This installation has no account yet. With the setup code, which the server prints when it starts, the first one is its administrator's."
              )
            : t("This installation has no account yet. The first one, which you create now, is its administrator's.")}
        </p>
      )}
      {isRefused || methods?.signUp === "closed" ? (
        <Notice tone="degraded">
          {t("Sign-up is closed on this installation. Ask the person who runs it for an account.")}
        </Notice>
      ) : required === undefined ? (
        <SignUpForm
          needsCode={first?.needsCode === true}
          onSignedUp={enter}
          onClosed={() => setRefused(true)}
          onSignOnRequired={setRequired}
        />
      ) : (
        <SignOnForm isRequired email={required} to={to ?? "/"} onBack={() => setRequired(undefined)} />
      )}
      {(first === null || methods?.singleSignOn !== null) && (
        <p className="text-sm text-soft">
          {t("Have an account already?")}{" "}
          <RouteLink to="/sign-in" search={{ to }} className="text-accent underline underline-offset-3">
            {t("Sign in")}
          </RouteLink>
        </p>
      )}
    </Frame>
  )
}

export default SignUp
