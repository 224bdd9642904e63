/**
 * Signs in, on its own page and in a dialog over a page with an ended session. With a password and, if configured, a
 * second factor; with a passkey; or with the identity provider of an organization.
 */
import { type SyntheticEvent, useEffect, useEffectEvent, useState } from "react"
import { Form } from "react-aria-components"
import { ApiError } from "../../api/problem.ts"
import { useSubmit } from "../../api/useSubmit.ts"
import { hasPasskeys, offersPasskeys } from "../../browser/secure.ts"
import { t } from "../../locales/text.ts"
import { Button, RouteLink } from "../../ui/Button.tsx"
import { PasswordField, TextField } from "../../ui/Field.tsx"
import { FormProblem } from "../../ui/FormProblem.tsx"
import { useMethods } from "../../api/methods.ts"
import { OtherWays } from "./OtherWays.tsx"
import { SecondFactorForm } from "./SecondFactorForm.tsx"
import { SignOnForm } from "./SignOnForm.tsx"
import { passkeyProblem } from "./webauthn.ts"
import { useSignIn, useSignInWithPasskey } from "./writes.ts"

type Step = "password" | "second-factor" | "sign-on" | "sign-on-required"

export const SignInForm = ({
  email: known,
  onSignedIn,
  to = "/"
}: {
  /** The address of the account with the ended session. */
  readonly email?: string
  readonly onSignedIn: () => Promise<void> | void
  /** Where a sign-in at another site leads back to. */
  readonly to?: string | undefined
}) => {
  const methods = useMethods()
  const { mutateAsync: signIn } = useSignIn()
  const { mutateAsync: withPasskey } = useSignInWithPasskey()
  const [step, setStep] = useState<Step>("password")
  const [email, setEmail] = useState(known ?? "")
  const [password, setPassword] = useState("")
  const { errors, isBusy, setErrors, submit } = useSubmit(["email", "password"])
  const isKnown = known !== undefined

  const suggest = useEffectEvent(async (signal: AbortSignal) => {
    if (isKnown || !(await offersPasskeys()) || signal.aborted) return
    let isChosen = false
    try {
      const onChosen = () => {
        isChosen = true
      }
      await withPasskey({ isSuggested: true, signal, onChosen })
      await onSignedIn()
    } catch (error) {
      const general = passkeyProblem(error)
      if (isChosen && general !== undefined) setErrors({ fields: {}, general })
    }
  })
  // Once the browser asks in a dialog, its suggestions are over.
  const [asks, setAsks] = useState(0)
  useEffect(() => {
    if (step !== "password") return undefined
    const ended = new AbortController()
    if (asks === 0) void suggest(ended.signal)
    return () => ended.abort()
  }, [step, asks])

  const askForPasskey = async () => {
    setAsks((count) => count + 1)
    try {
      await withPasskey({})
      await onSignedIn()
    } catch (error) {
      setErrors({ fields: {}, general: passkeyProblem(error) })
    }
  }

  const enter = async (bypass: object = {}) => {
    const answer = await signIn({ email: email.trim(), password, ...bypass })
    if ("twoFactorRedirect" in answer) setStep("second-factor")
    else await onSignedIn()
  }
  const send = (event: SyntheticEvent) => {
    event.preventDefault()
    return submit(async () => {
      try {
        await enter()
      } catch (error) {
        if (!(error instanceof ApiError && error.code === "sso_required")) throw error
        setStep("sign-on-required")
      }
    })
  }

  const back = () => {
    setPassword("")
    setStep("password")
  }
  if (step === "second-factor") return <SecondFactorForm onSignedIn={onSignedIn} onBack={back} />
  if (step === "sign-on" || step === "sign-on-required")
    return (
      <SignOnForm
        email={email}
        to={to}
        onBack={back}
        {...(step === "sign-on-required" ? { isRequired: true, onBypass: () => enter({ bypassSso: true }) } : {})}
      />
    )

  const hasPassword = methods?.password !== false
  return (
    <div className="flex flex-col gap-4">
      {!hasPassword && <FormProblem errors={errors} />}
      {hasPassword && (
        <Form onSubmit={(event) => void send(event)} validationBehavior="aria" className="flex flex-col gap-4">
          <FormProblem errors={errors} />
          <TextField
            label={t("Email")}
            name="email"
            type="email"
            inputMode="email"
            autoComplete="username webauthn"
            isRequired
            value={email}
            onChange={setEmail}
            error={errors.fields["email"]}
            isReadOnly={isKnown}
            autoFocus={!isKnown}
          />
          <div className="flex flex-col gap-1">
            <PasswordField
              label={t("Password")}
              name="password"
              autoComplete="current-password"
              isRequired
              value={password}
              onChange={setPassword}
              error={errors.fields["password"]}
              autoFocus={isKnown}
            />
            {!isKnown && (
              <RouteLink
                to="/forgot-password"
                search={email.includes("@") ? { email: email.trim() } : {}}
                className="inline-flex min-h-9 w-fit items-center text-sm text-accent underline underline-offset-3 pointer-coarse:min-h-11"
              >
                {t("Forgot your password?")}
              </RouteLink>
            )}
          </div>
          <Button
            kind="primary"
            type="submit"
            isDisabled={isBusy || email === "" || password === ""}
            className="min-h-10"
          >
            {t("Sign in")}
          </Button>
        </Form>
      )}
      <OtherWays
        isFirst={!hasPassword}
        {...(hasPasskeys() && methods?.passkeys !== false ? { onPasskey: () => void askForPasskey() } : {})}
        {...(methods?.organizationSignOn !== false ? { onSignOn: () => setStep("sign-on") } : {})}
        to={to}
        provider={methods?.singleSignOn?.label}
      />
    </div>
  )
}
