/** Signs in with the identity provider of an organization, which the domain of the e-mail address tells. */
import { type SyntheticEvent, useState } from "react"
import { Form } from "react-aria-components"
import { request } from "../../api/request.ts"
import { useSubmit } from "../../api/useSubmit.ts"
import { t } from "../../locales/text.ts"
import { Button } from "../../ui/Button.tsx"
import { TextField } from "../../ui/Field.tsx"
import { FormProblem } from "../../ui/FormProblem.tsx"
import { Notice } from "../../ui/Notice.tsx"

export const SignOnForm = ({
  email: known,
  onBack,
  onBypass,
  to
}: {
  readonly email: string
  readonly to: string
  readonly onBack: () => void
  /** The organization requires it; owners can sign in with their password and second factor all the same. */
  readonly onBypass?: () => Promise<void>
}) => {
  const [email, setEmail] = useState(known)
  const { errors, isBusy, submit } = useSubmit(["email"])
  const send = (event: SyntheticEvent) => {
    event.preventDefault()
    return submit(async () => {
      const { url } = await request<{ readonly url: string }>("POST", "/auth/sign-in/sso", {
        body: { email: email.trim(), callbackURL: to }
      })
      location.assign(url)
    })
  }
  return (
    <Form onSubmit={(event) => void send(event)} validationBehavior="aria" className="flex flex-col gap-4">
      {onBypass === undefined ? (
        <p className="text-sm text-soft">{t("Your address at work leads to the sign-in of your organization.")}</p>
      ) : (
        <Notice tone="maintenance">{t("Your organization requires its own sign-in for this address.")}</Notice>
      )}
      <FormProblem errors={errors} />
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
        autoFocus
      />
      <Button kind="primary" type="submit" isDisabled={isBusy || !email.includes("@")} className="min-h-10">
        {t("Continue")}
      </Button>
      {onBypass !== undefined && (
        <Button kind="quiet" isDisabled={isBusy} onPress={() => void submit(onBypass)}>
          {t("I am an owner: sign in without it, which is recorded")}
        </Button>
      )}
      <Button kind="quiet" onPress={onBack}>
        {t("Back")}
      </Button>
    </Form>
  )
}
