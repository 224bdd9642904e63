/** The passkeys of the account: list, add, rename, remove. */
import { useState } from "react"
import { methodsQuery } from "../../api/methods.ts"
import { useFirst, useFirsts } from "../../api/Parts.tsx"
import { useSubmit } from "../../api/useSubmit.ts"
import { hasPasskeys } from "../../browser/secure.ts"
import { t } from "../../locales/text.ts"
import { Button, IconButton } from "../../ui/Button.tsx"
import { Confirm } from "../../ui/Confirm.tsx"
import { DialogForm } from "../../ui/DialogForm.tsx"
import { TextField } from "../../ui/Field.tsx"
import { idOf } from "../../ui/held.ts"
import { HeldList } from "../../ui/HeldList.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { Dialog } from "../../ui/Overlay.tsx"
import { Section } from "../../ui/Section.tsx"
import { Moment } from "../../ui/Time.tsx"
import { browserName } from "./browserName.ts"
import { passkeysQuery } from "./queries.ts"
import { passkeyProblem } from "./webauthn.ts"
import { useAddPasskey, useRemovePasskey, useRenamePasskey } from "./writes.ts"

interface Passkey {
  readonly id: string
  readonly name?: string | null
  readonly createdAt?: string | null
  /** Whether it is on all devices of a password manager. */
  readonly backedUp?: boolean
}

const nameOf = ({ name }: Passkey): string => (name == null || name === "" ? t("Passkey") : name)

/** A name such as "Chrome on Linux" until it is renamed. */
const suggested = (): string => {
  const { browser, system } = browserName(navigator.userAgent)
  return browser !== undefined && system !== undefined ? t("{browser} on {system}", { browser, system }) : t("Passkey")
}

const NameForm = ({
  action,
  initial,
  onClose,
  onName
}: {
  readonly initial: string
  readonly action: string
  readonly onClose: () => void
  readonly onName: (name: string) => Promise<void>
}) => {
  const [name, setName] = useState(initial)
  const { errors, isBusy, submit } = useSubmit(["name"])
  return (
    <DialogForm
      action={action}
      errors={errors}
      isBusy={isBusy}
      isReady={name.trim() !== ""}
      onClose={onClose}
      onSend={() => submit(() => onName(name.trim()))}
    >
      <TextField
        label={t("Name")}
        help={t("To tell it from others, such as the device it is on")}
        value={name}
        onChange={setName}
        error={errors.fields["name"]}
        maxLength={100}
        isRequired
        autoFocus
        autoComplete="off"
      />
    </DialogForm>
  )
}

type Open = { readonly step: "add" } | { readonly step: "rename" | "remove"; readonly key: Passkey } | undefined

export const Passkeys = () => {
  const { mutateAsync: addPasskey } = useAddPasskey()
  const { mutateAsync: rename } = useRenamePasskey()
  const { mutateAsync: remove } = useRemovePasskey()
  useFirsts(methodsQuery, passkeysQuery)
  const { data: methods } = useFirst(methodsQuery)
  const { data: keys, error } = useFirst(passkeysQuery)
  // Browsers keep passkeys for names, and not for numeric addresses.
  const isPossible = methods?.passkeys !== false && hasPasskeys()
  const [open, setOpen] = useState<Open>(undefined)
  const { errors, isBusy, submit } = useSubmit()
  const close = () => setOpen(undefined)
  const add = async (name: string) => {
    try {
      await addPasskey(name)
    } catch (error) {
      const problem = passkeyProblem(error)
      if (problem !== undefined) throw new Error(problem, { cause: error })
    }
    close()
  }
  return (
    <Section
      title={t("Passkeys")}
      actions={
        isPossible && (
          <Button onPress={() => setOpen({ step: "add" })}>
            <Icon name="plus" />
            {t("Add a passkey")}
          </Button>
        )
      }
    >
      <p className="text-sm text-soft">
        {t("A passkey signs you in with your fingerprint, your face or the PIN of a device, instead of the password.")}
        {!isPossible && ` ${t("Browsers keep passkeys only for names with HTTPS, and for localhost.")}`}
      </p>
      <HeldList
        label={t("Passkeys")}
        items={keys}
        keyOf={idOf}
        error={error}
        className="divide-y divide-line"
        rowClass="flex items-center gap-2 py-2.5"
      >
        {(key) => (
          <>
            <div className="min-w-0 flex-1">
              <p className="text-sm font-medium">
                <bdi className="break-words">{nameOf(key)}</bdi>
              </p>
              <p className="text-small text-soft">
                {key.createdAt != null && (
                  <>
                    {t("Added")} <Moment at={key.createdAt} />
                  </>
                )}
                {key.backedUp === true && ` · ${t("on all your devices")}`}
              </p>
            </div>
            <IconButton
              aria-label={t("Rename {name}", { name: nameOf(key) })}
              onPress={() => setOpen({ step: "rename", key })}
            >
              <Icon name="edit" />
            </IconButton>
            <IconButton
              aria-label={t("Remove {name}", { name: nameOf(key) })}
              onPress={() => setOpen({ step: "remove", key })}
            >
              <Icon name="trash" />
            </IconButton>
          </>
        )}
      </HeldList>
      <Dialog title={t("Add a passkey")} isOpen={open?.step === "add"} onOpenChange={close}>
        <NameForm initial={suggested()} action={t("Continue")} onClose={close} onName={add} />
      </Dialog>
      <Dialog title={t("Rename the passkey")} isOpen={open?.step === "rename"} onOpenChange={close}>
        {open?.step === "rename" && (
          <NameForm
            initial={nameOf(open.key)}
            action={t("Save")}
            onClose={close}
            onName={async (name) => {
              await rename({ id: open.key.id, name })
              close()
            }}
          />
        )}
      </Dialog>
      <Confirm
        title={t("Remove this passkey?")}
        action={t("Remove")}
        isOpen={open?.step === "remove"}
        isBusy={isBusy}
        errors={errors}
        onClose={close}
        onConfirm={() =>
          void submit(async () => {
            if (open?.step !== "remove") return
            await remove(open.key.id)
            close()
          })
        }
      >
        <p>{t("It no longer signs you in. Delete it in your password manager, too.")}</p>
      </Confirm>
    </Section>
  )
}
