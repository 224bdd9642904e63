/** Takes the data of the account along, and deletes it. */
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { organizationsQuery } from "../../api/organizations.ts"
import { call } from "../../api/request.ts"
import type { Account } from "../../api/session.ts"
import { useSubmit } from "../../api/useSubmit.ts"
import { t } from "../../locales/text.ts"
import { Button } from "../../ui/Button.tsx"
import { DialogForm } from "../../ui/DialogForm.tsx"
import { PasswordField, TextField } from "../../ui/Field.tsx"
import { Notice } from "../../ui/Notice.tsx"
import { Dialog } from "../../ui/Overlay.tsx"
import { save } from "../../ui/save.ts"
import { Section } from "../../ui/Section.tsx"
import { useDeleteAccount } from "./writes.ts"

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
  /** Leads to the sign-in. */
  readonly onDeleted: () => unknown
}) => {
  const { mutateAsync: remove } = useDeleteAccount(onDeleted)
  const [typed, setTyped] = useState("")
  const [password, setPassword] = useState("")
  const { errors, isBusy, submit } = useSubmit(["password"])
  const send = async () => {
    const body = password === "" ? {} : { password }
    await submit(() => remove(body))
  }
  return (
    <DialogForm
      danger
      action={t("Delete the account")}
      errors={errors}
      isBusy={isBusy}
      isReady={typed.trim().toLowerCase() === user.email}
      onClose={onClose}
      onSend={send}
    >
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
    </DialogForm>
  )
}

export const DeleteAccount = ({ onDeleted, user }: { readonly user: Account; readonly onDeleted: () => unknown }) => {
  const [isOpen, setOpen] = useState(false)
  const { errors, isBusy, submit } = useSubmit()
  const take = () => submit(async () => save(await (await call("GET /account/export")).blob(), "kanmon-account.json"))
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
