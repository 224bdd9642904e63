/** `/sign-in` */
import { useQueryClient } from "@tanstack/react-query"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { projectsQuery, sessionQuery } from "../api/session.ts"
import { SignInForm } from "../features/account/SignInForm.tsx"
import { t } from "../locales/text.ts"
import { RouteLink } from "../ui/Button.tsx"
import { Frame } from "./Frame.tsx"

const SignIn = () => {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { to } = useSearch({ from: "/sign-in" })
  return (
    <Frame title={t("Sign in to Kanmon")}>
      <SignInForm
        onSignedIn={async () => {
          client.removeQueries({ queryKey: projectsQuery.queryKey })
          await client.fetchQuery({ ...sessionQuery, staleTime: 0 })
          await navigate({ href: to ?? "/", replace: true })
        }}
      />
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
