/** The keys of a project: its own one, and further ones with a role and an end. */
import { useState } from "react"
import { includes } from "../../api/permissions.ts"
import type { ProjectRecord } from "../../api/session.ts"
import { useFirst } from "../../api/Parts.tsx"
import { useSubmit } from "../../api/useSubmit.ts"
import { refusalOf } from "../../api/write.ts"
import { canKeepScreenOn } from "../../browser/secure.ts"
import { useProjectData } from "../../live/ProjectData.tsx"
import { roleName, roleOptions } from "../../locales/roles.ts"
import { t } from "../../locales/text.ts"
import { Button } from "../../ui/Button.tsx"
import { Select } from "../../ui/Choice.tsx"
import { Confirm } from "../../ui/Confirm.tsx"
import { CredentialForm, CredentialRow } from "../../ui/CredentialForm.tsx"
import { idOf } from "../../ui/held.ts"
import { HeldList } from "../../ui/HeldList.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { Notice } from "../../ui/Notice.tsx"
import { Dialog } from "../../ui/Overlay.tsx"
import { Refusal } from "../../ui/Toast.tsx"
import { partClass } from "../../ui/classes.ts"
import { type Key, keysQuery, type NewKey } from "./queries.ts"
import { Secret } from "./Secret.tsx"
import { useCreateKey, useDeleteKey, useRotateKey } from "./writes.ts"

const keyRoles = ["viewer", "responder", "editor", "admin"] as const

const CreateKey = ({
  onClose,
  onCreated
}: {
  readonly onClose: () => void
  readonly onCreated: (key: NewKey) => void
}) => {
  const { project } = useProjectData()
  const { mutateAsync: createKey } = useCreateKey()
  const [role, setRole] = useState<(typeof keyRoles)[number]>("viewer")
  const { errors, isBusy, submit } = useSubmit(["name", "role", "expiresAt"])
  return (
    <CredentialForm
      action={t("Create key")}
      help={t("What uses the key, such as a script")}
      first="90"
      errors={errors}
      isBusy={isBusy}
      onClose={onClose}
      onCreate={(made) => submit(async () => onCreated(await createKey({ ...made, role })))}
    >
      <Select
        label={t("Role")}
        options={roleOptions(keyRoles.filter((each) => includes(project.role, each)))}
        value={role}
        onChange={setRole}
        error={errors.fields["role"]}
      />
    </CredentialForm>
  )
}

type Open = { readonly kind: "create" | "rotate" } | { readonly kind: "delete"; readonly key: Key } | undefined

export const ApiKeys = ({
  project,
  wallOf
}: {
  readonly project: ProjectRecord
  /** The address that shows all monitors to the holder of the key. */
  readonly wallOf?: (key: string) => string
}) => {
  const { project: current } = useProjectData()
  const rotation = useRotateKey()
  const removal = useDeleteKey()
  const { data: keys, error } = useFirst(keysQuery(current))
  const [open, setOpen] = useState<Open>(undefined)
  const [created, setCreated] = useState<NewKey | undefined>(undefined)
  const close = () => setOpen(undefined)

  const { dismiss, refusal } = refusalOf([rotation, removal])

  return (
    <section className={partClass}>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2>{t("API keys")}</h2>
        <Button onPress={() => setOpen({ kind: "create" })}>
          <Icon name="plus" />
          {t("New key")}
        </Button>
      </div>
      {refusal !== undefined && <Refusal onClose={dismiss}>{refusal}</Refusal>}
      {created !== undefined && (
        <Notice tone="up">
          <p className="mb-2">{t("Copy the key {name} now: it is not shown again.", { name: created.name })}</p>
          <Secret text={created.apiKey} isShown />
          {created.role === "viewer" && wallOf !== undefined && (
            <>
              <p className="mt-3 mb-2">{t("For a screen on a wall, open this address on it:")}</p>
              <Secret text={wallOf(created.apiKey)} isShown />
              {!canKeepScreenOn() && (
                <p className="mt-2 text-small text-soft">
                  {t("Over plain HTTP browsers do not keep the screen on. Set the device so that its screen stays on.")}
                </p>
              )}
            </>
          )}
        </Notice>
      )}
      <div className="flex flex-col gap-2">
        <h3 className="text-sm">{t("The project's own key")}</h3>
        <p className="text-small text-soft">{t("It may do everything in this project and does not expire.")}</p>
        <Secret text={project.apiKey} />
        <div>
          <Button onPress={() => setOpen({ kind: "rotate" })}>
            <Icon name="refresh" />
            {t("Replace the key")}
          </Button>
        </div>
      </div>
      <HeldList
        label={t("API keys")}
        items={keys}
        keyOf={idOf}
        error={error}
        className="border-t border-line"
        rowClass="flex items-center gap-3 border-t border-line py-3 first:border-t-0"
      >
        {(key) => (
          <CredentialRow credential={key} onDelete={() => setOpen({ kind: "delete", key })}>
            <span className="text-small text-soft">{roleName(key.role)}</span>
          </CredentialRow>
        )}
      </HeldList>
      <Dialog title={t("New key")} isOpen={open?.kind === "create"} onOpenChange={close}>
        <CreateKey
          onClose={close}
          onCreated={(key) => {
            setCreated(key)
            close()
          }}
        />
      </Dialog>
      <Confirm
        title={t("Replace the project's key?")}
        action={t("Replace")}
        isOpen={open?.kind === "rotate"}
        onClose={close}
        onConfirm={() => {
          close()
          dismiss()
          rotation.mutate()
        }}
      >
        <p>{t("The old key stops working at once, wherever it is used.")}</p>
      </Confirm>
      <Confirm
        title={t("Delete this key?")}
        action={t("Delete")}
        isOpen={open?.kind === "delete"}
        onClose={close}
        onConfirm={() => {
          if (open?.kind !== "delete") return
          const { id } = open.key
          close()
          dismiss()
          removal.mutate(id, { onSuccess: () => setCreated((known) => (known?.id === id ? undefined : known)) })
        }}
      >
        <p>{t("Requests with it are refused from then on.")}</p>
      </Confirm>
    </section>
  )
}
