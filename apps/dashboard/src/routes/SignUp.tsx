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
  const [isRefused, setRefused] = useState(false)
  const [required, setRequired] = useState<string | undefined>(undefined)
  return (
    <Frame title={t("Create an account")}>
      {isRefused || methods?.signUp === "closed" ? (
        <Notice tone="degraded">
          {t("Sign-up is closed on this installation. Ask the person who runs it for an account.")}
        </Notice>
      ) : required === undefined ? (
        <SignUpForm onSignedUp={enter} onClosed={() => setRefused(true)} onSignOnRequired={setRequired} />
      ) : (
        <SignOnForm isRequired email={required} to={to ?? "/"} onBack={() => setRequired(undefined)} />
      )}
      <p className="text-sm text-soft">
        {t("Have an account already?")}{" "}
        <RouteLink to="/sign-in" search={{ to }} className="text-accent underline underline-offset-3">
          {t("Sign in")}
        </RouteLink>
      </p>
    </Frame>
  )
}

export default SignUp
