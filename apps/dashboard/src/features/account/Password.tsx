/** Changes the password. */
import { useState } from "react"
import { useSubmit } from "../../api/useSubmit.ts"
import { t } from "../../locales/text.ts"
import { Button } from "../../ui/Button.tsx"
import { Checkbox } from "../../ui/Choice.tsx"
import { DialogForm } from "../../ui/DialogForm.tsx"
import { PasswordField } from "../../ui/Field.tsx"
import { Notice } from "../../ui/Notice.tsx"
import { Dialog } from "../../ui/Overlay.tsx"
import { Section } from "../../ui/Section.tsx"
import { minLength, refusedPassword } from "./passwordRule.ts"
import { useChangePassword } from "./writes.ts"

const PasswordForm = ({ onClose, onDone }: { readonly onClose: () => void; readonly onDone: () => void }) => {
  const { mutateAsync: change } = useChangePassword()
  const [currentPassword, setCurrent] = useState("")
  const [newPassword, setNew] = useState("")
  const [revokeOtherSessions, setRevoke] = useState(true)
  const { errors, isBusy, setErrors, submit } = useSubmit(["currentPassword", "newPassword"])
  const save = async () => {
    const refused = refusedPassword(newPassword, "newPassword")
    if (refused !== undefined) return setErrors(refused)
    const body = { currentPassword, newPassword, revokeOtherSessions }
    if (await submit(() => change(body))) onDone()
  }
  return (
    <DialogForm
      action={t("Change the password")}
      errors={errors}
      isBusy={isBusy}
      isReady={currentPassword !== "" && newPassword !== ""}
      onClose={onClose}
      onSend={save}
    >
      <PasswordField
        label={t("Current password")}
        autoComplete="current-password"
        isRequired
        autoFocus
        value={currentPassword}
        onChange={setCurrent}
        error={errors.fields["currentPassword"]}
      />
      <PasswordField
        label={t("New password")}
        autoComplete="new-password"
        isRequired
        value={newPassword}
        onChange={setNew}
        help={t("At least {count} characters", { count: minLength })}
        error={errors.fields["newPassword"]}
      />
      <Checkbox isSelected={revokeOtherSessions} onChange={setRevoke}>
        {t("Sign out all other browsers")}
      </Checkbox>
    </DialogForm>
  )
}

export const Password = () => {
  const [isOpen, setOpen] = useState(false)
  const [isDone, setDone] = useState(false)
  return (
    <Section title={t("Password")} actions={<Button onPress={() => setOpen(true)}>{t("Change the password")}</Button>}>
      {isDone && <Notice tone="up">{t("The password is changed.")}</Notice>}
      <p className="text-sm text-soft">{t("Accounts that sign in with an identity provider have none here.")}</p>
      <Dialog title={t("Change the password")} isOpen={isOpen} onOpenChange={setOpen}>
        <PasswordForm
          onClose={() => setOpen(false)}
          onDone={() => {
            setDone(true)
            setOpen(false)
          }}
        />
      </Dialog>
    </Section>
  )
}
