/** Takes the data of the account along, and deletes it. */
import { useQuery } from "@tanstack/react-query"
import { type SyntheticEvent, useState } from "react"
import { Form } from "react-aria-components"
import { organizationsQuery } from "../../api/organizations.ts"
import { call, request } from "../../api/request.ts"
import type { Account } from "../../api/session.ts"
import { useSubmit } from "../../api/useSubmit.ts"
import { t } from "../../locales/text.ts"
import { Button } from "../../ui/Button.tsx"
import { PasswordField, TextField } from "../../ui/Field.tsx"
import { FormProblem } from "../../ui/FormProblem.tsx"
import { Notice } from "../../ui/Notice.tsx"
import { Dialog } from "../../ui/Overlay.tsx"
import { save } from "../../ui/save.ts"
import { Section } from "../../ui/Section.tsx"

const Consequences = () => {
  const { data: organizations = [] } = useQuery(organizationsQuery)
  const alone = organizations.filter(({ members }) => members === 1)
  const shared = organizations.filter(({ members }) => members > 1)
  return (
    <ul className="list-disc ps-5 text-soft marker:text-faint">
      <li>{t("You are signed out everywhere, and your passkeys, backup codes and logins of programs end.")}</li>
      {alone.map(({ id, name }) => (
        <li key={id}>
          {t("The organization {name} is deleted with its projects, monitors, history and status pages.", { name })}
        </li>
      ))}
      {shared.map(({ id, name }) => (
        <li key={id}>{t("You leave the organization {name}, which stays.", { name })}</li>
      ))}
    </ul>
  )
}

const DeleteForm = ({
  onClose,
  onDeleted,
  user
}: {
  readonly user: Account
  readonly onClose: () => void
  readonly onDeleted: () => void
}) => {
  const [typed, setTyped] = useState("")
  const [password, setPassword] = useState("")
  const { errors, isBusy, submit } = useSubmit(["password"])
  const send = async (event: SyntheticEvent) => {
    event.preventDefault()
    const body = password === "" ? {} : { password }
    if (await submit(() => request("DELETE", "/account", { body }))) onDeleted()
  }
  return (
    <Form onSubmit={(event) => void send(event)} validationBehavior="aria" className="flex flex-col gap-4">
      <Consequences />
      <p className="font-medium">{t("This cannot be undone.")}</p>
      <TextField
        label={t("Type your e-mail address to confirm")}
        value={typed}
        onChange={setTyped}
        autoComplete="off"
        autoFocus
      />
      <PasswordField
        label={t("Your password")}
        help={t("Without a password: sign in again shortly before, and leave this empty.")}
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
        error={errors.fields["password"]}
      />
      <FormProblem errors={errors} />
      <div className="flex justify-end gap-2">
        <Button onPress={onClose}>{t("Cancel")}</Button>
        <Button kind="danger" type="submit" isDisabled={isBusy || typed.trim().toLowerCase() !== user.email}>
          {t("Delete the account")}
        </Button>
      </div>
    </Form>
  )
}

export const DeleteAccount = ({ onDeleted, user }: { readonly user: Account; readonly onDeleted: () => void }) => {
  const [isOpen, setOpen] = useState(false)
  const { errors, isBusy, submit } = useSubmit()
  const take = () =>
    submit(async () => save(await (await call("GET", "/account/export")).blob(), "kanmon-account.json"))
  return (
    <Section title={t("Your data")}>
      <p className="text-sm text-soft">
        {t("Everything that Kanmon knows about you and what you alone own, as a JSON file.")}
      </p>
      {errors.general !== undefined && <Notice>{errors.general}</Notice>}
      <div className="flex flex-wrap gap-2">
        <Button onPress={() => void take()} isDisabled={isBusy}>
          {t("Download my data")}
        </Button>
        <Button kind="danger" onPress={() => setOpen(true)}>
          {t("Delete the account")}
        </Button>
      </div>
      <Dialog alert title={t("Delete your account?")} isOpen={isOpen} onOpenChange={setOpen}>
        <DeleteForm user={user} onClose={() => setOpen(false)} onDeleted={onDeleted} />
      </Dialog>
    </Section>
  )
}
