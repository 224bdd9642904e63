/** Name, address, language and time zone of the account. */
import { type SyntheticEvent, useState } from "react"
import { Form } from "react-aria-components"
import { methodsQuery } from "../../api/methods.ts"
import type { Account } from "../../api/session.ts"
import { useFirst } from "../../api/Parts.tsx"
import { useSubmit } from "../../api/useSubmit.ts"
import { TimeZoneField } from "../../forms/TimeZoneField.tsx"
import { choose, locale, type Locale, locales, t } from "../../locales/text.ts"
import { Button } from "../../ui/Button.tsx"
import { Select } from "../../ui/Choice.tsx"
import { DialogForm } from "../../ui/DialogForm.tsx"
import { TextField } from "../../ui/Field.tsx"
import { FormProblem } from "../../ui/FormProblem.tsx"
import { Notice } from "../../ui/Notice.tsx"
import { Dialog } from "../../ui/Overlay.tsx"
import { Section } from "../../ui/Section.tsx"
import { ResendVerification } from "./ResendVerification.tsx"
import { useChangeEmail, useKeepLanguage, useUpdateAccount } from "./writes.ts"

const NameForm = ({ user }: { readonly user: Account }) => {
  const { mutateAsync: update } = useUpdateAccount()
  const [name, setName] = useState(user.name)
  const { errors, isBusy, submit } = useSubmit(["name"])
  const save = (event: SyntheticEvent) => {
    event.preventDefault()
    return submit(() => update({ name: name.trim() }))
  }
  return (
    <Form onSubmit={(event) => void save(event)} validationBehavior="aria" className="flex flex-col gap-3">
      <TextField
        label={t("Name")}
        autoComplete="name"
        isRequired
        value={name}
        onChange={setName}
        error={errors.fields["name"]}
      />
      <FormProblem errors={errors} />
      <div>
        <Button type="submit" isDisabled={isBusy || name.trim() === "" || name.trim() === user.name}>
          {t("Save")}
        </Button>
      </div>
    </Form>
  )
}

/** Nothing is set until the person chooses: the browser's zone is only offered. */
const ZoneForm = ({ user }: { readonly user: Account }) => {
  const { mutateAsync: update } = useUpdateAccount()
  const { errors, isBusy, submit } = useSubmit(["timezone"])
  const save = (timezone: string | null) => submit(() => update({ timezone }))
  return (
    <div className="flex flex-col gap-2">
      <TimeZoneField
        help={
          user.timezone === null
            ? t("None is chosen: mails of alerts show the time of the project, others UTC")
            : t("Mails to you show times in it")
        }
        value={user.timezone}
        onChange={(zone) => {
          if (zone !== user.timezone) void save(zone)
        }}
        error={errors.fields["timezone"]}
      />
      <FormProblem errors={errors} />
      {user.timezone !== null && (
        <div>
          <Button isDisabled={isBusy} onPress={() => void save(null)}>
            {t("Choose none")}
          </Button>
        </div>
      )}
    </div>
  )
}

const EmailForm = ({ onClose, onSent }: { readonly onClose: () => void; readonly onSent: (email: string) => void }) => {
  const { mutateAsync: change } = useChangeEmail()
  const [newEmail, setEmail] = useState("")
  const { errors, isBusy, submit } = useSubmit(["newEmail"])
  const send = async () => {
    const address = newEmail.trim()
    if (await submit(() => change(address))) onSent(address)
  }
  return (
    <DialogForm
      action={t("Send the link")}
      errors={errors}
      isBusy={isBusy}
      isReady={newEmail.includes("@")}
      onClose={onClose}
      onSend={send}
    >
      <p className="text-soft">
        {t("The address changes when you open the link in the mail that goes to the new one.")}
      </p>
      <TextField
        label={t("New address")}
        type="email"
        inputMode="email"
        autoComplete="email"
        isRequired
        autoFocus
        value={newEmail}
        onChange={setEmail}
        error={errors.fields["newEmail"]}
      />
    </DialogForm>
  )
}

export const Profile = ({ user }: { readonly user: Account }) => {
  const [isOpen, setOpen] = useState(false)
  const [sentTo, setSentTo] = useState<string | undefined>(undefined)
  const methods = useFirst(methodsQuery).data
  const { mutateAsync: keepInAccount } = useKeepLanguage()
  const keepLanguage = async (name: Locale) => {
    // Mails are in the language of the account; what is shown changes even when that cannot be kept.
    await keepInAccount(name)
    choose(name)
  }
  return (
    <Section title={t("Profile")}>
      <NameForm key={user.name} user={user} />
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t border-line pt-3">
        <div className="min-w-0">
          <p className="text-sm font-medium">{t("Email")}</p>
          <p className="text-sm">
            <bdi className="break-all">{user.email}</bdi>{" "}
            <span className={user.emailVerified ? "text-soft" : "font-medium text-degraded"}>
              {user.emailVerified ? t("Verified") : t("Not verified")}
            </span>
          </p>
        </div>
        <div className="flex flex-wrap gap-2">
          {!user.emailVerified && <ResendVerification email={user.email} />}
          <Button onPress={() => setOpen(true)}>{t("Change the address")}</Button>
        </div>
      </div>
      {sentTo !== undefined && (
        <Notice tone={methods?.mail === false ? "degraded" : "up"}>
          {methods?.mail === false
            ? t(
                "This installation sends no mail: the link for {email} is printed on the console of the server. Ask the person who runs it.",
                { email: sentTo }
              )
            : t("A mail with a link is on its way to {email}.", { email: sentTo })}
        </Notice>
      )}
      <div className="border-t border-line pt-3">
        <Select
          label={t("Language")}
          help={t("Of the dashboard and of mails to you")}
          options={Object.entries(locales).map(([id, label]) => ({ id, label }))}
          value={locale()}
          onChange={(id) => void keepLanguage(id as Locale)}
        />
      </div>
      <div className="border-t border-line pt-3">
        <ZoneForm user={user} />
      </div>
      <Dialog title={t("Change the address")} isOpen={isOpen} onOpenChange={setOpen}>
        <EmailForm
          onClose={() => setOpen(false)}
          onSent={(email) => {
            setSentTo(email)
            setOpen(false)
          }}
        />
      </Dialog>
    </Section>
  )
}
