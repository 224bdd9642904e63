/** The second factor of the account: set up with an app, new backup codes, and switched off. Each asks for the password. */
import { lazy, type SyntheticEvent, Suspense, useState } from "react"
import { Form } from "react-aria-components"
import { useSubmit } from "../../api/useSubmit.ts"
import { t } from "../../locales/text.ts"
import { Button } from "../../ui/Button.tsx"
import { CopyButton } from "../../ui/CopyButton.tsx"
import { FormProblem } from "../../ui/FormProblem.tsx"
import { Dialog } from "../../ui/Overlay.tsx"
import { Section } from "../../ui/Section.tsx"
import { BackupCodes } from "./BackupCodes.tsx"
import { CodeField, plainCode } from "./CodeField.tsx"
import { PasswordQuestion } from "./PasswordQuestion.tsx"
import { useEnrol, useRenewBackupCodes, useSwitchOffSecondFactor, useSwitchOnSecondFactor } from "./writes.ts"

const QrCode = lazy(() => import("./QrCode.tsx"))

interface Enrolment {
  readonly totpURI: string
  readonly backupCodes: ReadonlyArray<string>
}

/** The secret in groups of four, as people type it. */
const secretOf = (uri: string): string => new URL(uri).searchParams.get("secret") ?? ""
const grouped = (secret: string): string => secret.replaceAll(/(.{4})(?=.)/g, "$1 ")

const Enrol = ({ enrolment, onDone }: { readonly enrolment: Enrolment; readonly onDone: () => void }) => {
  const { mutateAsync: switchOn } = useSwitchOnSecondFactor()
  const [code, setCode] = useState("")
  const { errors, isBusy, submit } = useSubmit(["code"])
  const secret = secretOf(enrolment.totpURI)
  const verify = (event: SyntheticEvent) => {
    event.preventDefault()
    return submit(async () => {
      await switchOn(plainCode(code))
      onDone()
    })
  }
  return (
    <Form onSubmit={(event) => void verify(event)} validationBehavior="aria" className="flex flex-col gap-4">
      <p className="text-sm text-soft">
        {t("Scan this with an authenticator app, such as the one of your password manager.")}
      </p>
      <div className="flex min-h-48 justify-center">
        <Suspense>
          <QrCode text={enrolment.totpURI} label={t("QR code with the secret")} />
        </Suspense>
      </div>
      <div className="flex flex-col gap-1">
        <p className="text-sm">{t("Or type the secret:")}</p>
        <div className="flex flex-wrap items-center gap-2">
          <code className="min-w-0 flex-1 basis-56 rounded-lg bg-ink/6 px-3 py-2 text-small break-words">
            {grouped(secret)}
          </code>
          <CopyButton text={secret} />
        </div>
      </div>
      <FormProblem errors={errors} />
      <CodeField value={code} onChange={setCode} error={errors.fields["code"]} />
      <div className="flex justify-end">
        <Button kind="primary" type="submit" isDisabled={isBusy || plainCode(code) === ""}>
          {t("Switch on")}
        </Button>
      </div>
    </Form>
  )
}

type Open =
  | { readonly step: "enable" | "disable" | "renew" }
  | { readonly step: "enrol"; readonly enrolment: Enrolment }
  | { readonly step: "codes"; readonly codes: ReadonlyArray<string> }
  | undefined

export const SecondFactor = ({ isOn }: { readonly isOn: boolean }) => {
  const { mutateAsync: enrol } = useEnrol()
  const { mutateAsync: renew } = useRenewBackupCodes()
  const { mutateAsync: switchOff } = useSwitchOffSecondFactor()
  const [open, setOpen] = useState<Open>(undefined)
  const close = () => setOpen(undefined)
  const titles = {
    enable: t("Set up a second factor"),
    enrol: t("Set up a second factor"),
    codes: t("Backup codes"),
    renew: t("New backup codes"),
    disable: t("Switch off the second factor")
  }
  return (
    <Section title={t("Second factor")}>
      <p className="text-sm">
        <span className={isOn ? "font-medium text-up" : "font-medium"}>{isOn ? t("On|state") : t("Off")}</span>{" "}
        <span className="text-soft">
          {isOn
            ? t("A sign-in with the password also asks for a code from your app.")
            : t("With it, the password alone does not let anybody in: a code from an app is asked for, too.")}
        </span>
      </p>
      <div className="flex flex-wrap gap-2">
        {isOn ? (
          <>
            <Button onPress={() => setOpen({ step: "renew" })}>{t("New backup codes")}</Button>
            <Button kind="danger" onPress={() => setOpen({ step: "disable" })}>
              {t("Switch off")}
            </Button>
          </>
        ) : (
          <Button onPress={() => setOpen({ step: "enable" })}>{t("Set up")}</Button>
        )}
      </div>
      <Dialog
        title={open === undefined ? "" : titles[open.step]}
        isOpen={open !== undefined}
        onOpenChange={close}
        dismissable={open?.step !== "codes"}
      >
        {open?.step === "enable" && (
          <PasswordQuestion
            action={t("Continue")}
            onClose={close}
            onPassword={async (password) => {
              const enrolment = await enrol(password)
              setOpen({ step: "enrol", enrolment })
            }}
          />
        )}
        {open?.step === "enrol" && (
          <Enrol
            enrolment={open.enrolment}
            onDone={() => setOpen({ step: "codes", codes: open.enrolment.backupCodes })}
          />
        )}
        {open?.step === "renew" && (
          <PasswordQuestion
            action={t("Make new codes")}
            explanation={t("The old codes stop working.")}
            onClose={close}
            onPassword={async (password) => {
              const { backupCodes } = await renew(password)
              setOpen({ step: "codes", codes: backupCodes })
            }}
          />
        )}
        {open?.step === "codes" && (
          <>
            <BackupCodes codes={open.codes} />
            <div className="flex justify-end">
              <Button kind="primary" onPress={close}>
                {t("I have kept them")}
              </Button>
            </div>
          </>
        )}
        {open?.step === "disable" && (
          <PasswordQuestion
            danger
            action={t("Switch off")}
            explanation={t("From then on the password alone signs in. The backup codes are deleted.")}
            onClose={close}
            onPassword={async (password) => {
              await switchOff(password)
              close()
            }}
          />
        )}
      </Dialog>
    </Section>
  )
}
