/** The API keys of an organization: what they open, and making and deleting them. */
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { useSubmit } from "../../api/useSubmit.ts"
import { roleName, roleOptions } from "../../locales/roles.ts"
import { t } from "../../locales/text.ts"
import { Button } from "../../ui/Button.tsx"
import { Select } from "../../ui/Choice.tsx"
import { Confirm } from "../../ui/Confirm.tsx"
import { CopyRow } from "../../ui/CopyRow.tsx"
import { CredentialForm, CredentialRow } from "../../ui/CredentialForm.tsx"
import { idOf } from "../../ui/held.ts"
import { HeldList } from "../../ui/HeldList.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { Notice } from "../../ui/Notice.tsx"
import { Dialog } from "../../ui/Overlay.tsx"
import { partClass } from "../../ui/classes.ts"
import { type NewOrganizationKey, type OrganizationKey, organizationKeysQuery } from "./queries.ts"
import { useCreateOrganizationKey, useDeleteOrganizationKey } from "./writes.ts"

const keyRoles = ["viewer", "responder", "editor", "admin"] as const

const CreateKey = ({
  onClose,
  onCreated,
  organizationId
}: {
  readonly organizationId: string
  readonly onClose: () => void
  readonly onCreated: (key: NewOrganizationKey) => void
}) => {
  const { mutateAsync: createKey } = useCreateOrganizationKey(organizationId)
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
        options={roleOptions(keyRoles)}
        value={role}
        onChange={setRole}
        error={errors.fields["role"]}
      />
    </CredentialForm>
  )
}

export const OrganizationKeys = ({ organizationId }: { readonly organizationId: string }) => {
  const { data: keys, error } = useQuery(organizationKeysQuery(organizationId))
  const { mutateAsync: remove } = useDeleteOrganizationKey(organizationId)
  const [isOpen, setOpen] = useState(false)
  const [created, setCreated] = useState<NewOrganizationKey | undefined>(undefined)
  const [doomed, setDoomed] = useState<OrganizationKey | undefined>(undefined)
  const removal = useSubmit()
  return (
    <section className={partClass}>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2>{t("API keys of the organization")}</h2>
        <Button onPress={() => setOpen(true)}>
          <Icon name="plus" />
          {t("New key")}
        </Button>
      </div>
      <p className="text-sm text-soft">
        {t(
          "For scripts and files that also contain on-call schedules and escalation policies. With its role such a key works in all projects of the organization. A key of one project is in the settings of that project."
        )}
      </p>
      {created !== undefined && (
        <Notice tone="up">
          <CopyRow
            label={t("Copy the key {name} now: it is not shown again.", { name: created.name })}
            text={created.apiKey}
          />
        </Notice>
      )}
      <HeldList
        label={t("API keys of the organization")}
        items={keys}
        keyOf={idOf}
        error={error}
        className="border-t border-line"
        rowClass="flex items-center gap-3 border-t border-line py-3 first:border-t-0"
      >
        {(key) => (
          <CredentialRow credential={key} onDelete={() => setDoomed(key)}>
            <span className="text-small text-soft">{roleName(key.role)}</span>
          </CredentialRow>
        )}
      </HeldList>
      <Dialog title={t("New key")} isOpen={isOpen} onOpenChange={setOpen}>
        <CreateKey
          organizationId={organizationId}
          onClose={() => setOpen(false)}
          onCreated={(key) => {
            setOpen(false)
            setCreated(key)
          }}
        />
      </Dialog>
      <Confirm
        title={t("Delete {name}?", { name: doomed?.name ?? "" })}
        action={t("Delete")}
        isOpen={doomed !== undefined}
        isBusy={removal.isBusy}
        errors={removal.errors}
        onClose={() => setDoomed(undefined)}
        onConfirm={() =>
          void removal.submit(async () => {
            await remove(doomed?.id ?? "")
            if (created?.id === doomed?.id) setCreated(undefined)
            setDoomed(undefined)
          })
        }
      >
        <p>{t("Requests with it are refused from then on.")}</p>
      </Confirm>
    </section>
  )
}
