/** `/sign-up` */
import { useSearch } from "@tanstack/react-router"
import { type SyntheticEvent, useState } from "react"
import { Form } from "react-aria-components"
import { ApiError, type FormErrors, formErrors, noErrors } from "../api/problem.ts"
import { request } from "../api/request.ts"
import { t } from "../locales/text.ts"
import { Button, RouteLink } from "../ui/Button.tsx"
import { PasswordField, TextField } from "../ui/Field.tsx"
import { FormProblem } from "../ui/FormProblem.tsx"
import { Notice } from "../ui/Notice.tsx"
import { Frame } from "./Frame.tsx"
import { useEntrance } from "./useEntrance.ts"

const minLength = 8

const SignUp = () => {
  const { to } = useSearch({ from: "/sign-up" })
  const enter = useEntrance(to)
  const [name, setName] = useState("")
  const [email, setEmail] = useState("")
  const [password, setPassword] = useState("")
  const [errors, setErrors] = useState<FormErrors>(noErrors)
  const [isBusy, setBusy] = useState(false)
  const [isClosed, setClosed] = useState(false)

  const submit = async (event: SyntheticEvent) => {
    event.preventDefault()
    setErrors(noErrors)
    if (password.length < minLength) {
      setErrors({
        fields: { password: t("Use at least {count} characters.", { count: minLength }) },
        general: undefined
      })
      return
    }
    setBusy(true)
    try {
      await request("POST", "/auth/sign-up/email", { body: { name: name.trim(), email: email.trim(), password } })
      await enter()
    } catch (error) {
      if (error instanceof ApiError && error.status === 403) setClosed(true)
      setErrors(
        error instanceof ApiError && error.status === 409
          ? { fields: { email: t("There is an account with this address. Sign in instead.") }, general: undefined }
          : formErrors(error, ["name", "email", "password"])
      )
    }
    setBusy(false)
  }

  return (
    <Frame title={t("Create an account")}>
      {isClosed ? (
        <Notice tone="degraded">
          {t("Sign-up is closed on this installation. Ask the person who runs it for an account.")}
        </Notice>
      ) : (
        <Form onSubmit={(event) => void submit(event)} validationBehavior="aria" className="flex flex-col gap-4">
          <FormProblem errors={errors} />
          <TextField
            label={t("Your name")}
            name="name"
            autoComplete="name"
            isRequired
            value={name}
            onChange={setName}
            error={errors.fields["name"]}
            autoFocus
          />
          <TextField
            label={t("Email")}
            name="email"
            type="email"
            inputMode="email"
            autoComplete="username"
            isRequired
            value={email}
            onChange={setEmail}
            error={errors.fields["email"]}
          />
          <PasswordField
            label={t("Password")}
            name="password"
            autoComplete="new-password"
            isRequired
            value={password}
            onChange={setPassword}
            help={t("At least {count} characters", { count: minLength })}
            error={errors.fields["password"]}
          />
          <Button
            kind="primary"
            type="submit"
            isDisabled={isBusy || name.trim() === "" || email === "" || password === ""}
            className="min-h-10"
          >
            {t("Create account")}
          </Button>
        </Form>
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
