/** Provisioning by SCIM 2.0: its address, and the tokens with which a directory creates, changes and removes members. */
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { useSubmit } from "../../api/useSubmit.ts"
import { t } from "../../locales/text.ts"
import { Button } from "../../ui/Button.tsx"
import { Confirm } from "../../ui/Confirm.tsx"
import { CredentialForm, CredentialRow } from "../../ui/CredentialForm.tsx"
import { idOf } from "../../ui/held.ts"
import { HeldList } from "../../ui/HeldList.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { Notice } from "../../ui/Notice.tsx"
import { Dialog } from "../../ui/Overlay.tsx"
import { partClass } from "../../ui/classes.ts"
import { CopyRow } from "../../ui/CopyRow.tsx"
import { type CreatedScimToken, type ScimToken, scimTokensQuery, type SignOnRecord } from "./queries.ts"
import { useCreateScimToken, useDeleteScimToken } from "./writes.ts"

const CreateToken = ({
  onClose,
  onCreated,
  organizationId
}: {
  readonly organizationId: string
  readonly onClose: () => void
  readonly onCreated: (token: CreatedScimToken) => void
}) => {
  const { mutateAsync: createToken } = useCreateScimToken(organizationId)
  const { errors, isBusy, submit } = useSubmit(["name", "expiresAt"])
  return (
    <CredentialForm
      action={t("Create token")}
      help={t("The identity provider that uses it. The audit log shows this name")}
      first="never"
      atLeast={90}
      errors={errors}
      isBusy={isBusy}
      onClose={onClose}
      onCreate={(made) => submit(async () => onCreated(await createToken(made)))}
    />
  )
}

export const ScimTokens = ({
  organizationId,
  record: { domains, scimUrl }
}: {
  readonly organizationId: string
  readonly record: SignOnRecord
}) => {
  const { data: tokens, error } = useQuery(scimTokensQuery(organizationId))
  const { mutateAsync: remove } = useDeleteScimToken(organizationId)
  const [isOpen, setOpen] = useState(false)
  const [created, setCreated] = useState<CreatedScimToken | undefined>(undefined)
  const [doomed, setDoomed] = useState<ScimToken | undefined>(undefined)
  const removal = useSubmit()
  return (
    <section className={partClass}>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2>{t("Provisioning")}</h2>
        <Button onPress={() => setOpen(true)}>
          <Icon name="plus" />
          {t("New token")}
        </Button>
      </div>
      <p className="text-sm text-soft">
        {t(
          "By SCIM 2.0 your identity provider makes people members before they sign in, and takes their access away the moment they leave. Groups give roles, as with single sign-on."
        )}
      </p>
      {!domains.some(({ verifiedAt }) => verifiedAt !== null) && (
        <Notice>{t("Prove a domain first: only people with an address of a proven domain can be provisioned.")}</Notice>
      )}
      <CopyRow label={t("Base URL")} text={scimUrl} />
      {created !== undefined && (
        <Notice tone="up">
          <CopyRow
            label={t("Copy the token {name} now: it is not shown again.", { name: created.name })}
            text={created.token}
          />
        </Notice>
      )}
      <HeldList
        label={t("Tokens")}
        items={tokens}
        keyOf={idOf}
        error={error}
        className="border-t border-line"
        rowClass="flex items-center gap-3 border-t border-line py-3 first:border-t-0"
      >
        {(token) => <CredentialRow credential={token} onDelete={() => setDoomed(token)} />}
      </HeldList>
      <Dialog title={t("New token for your identity provider")} isOpen={isOpen} onOpenChange={setOpen}>
        <CreateToken
          organizationId={organizationId}
          onClose={() => setOpen(false)}
          onCreated={(token) => {
            setOpen(false)
            setCreated(token)
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
        <p>{t("The identity provider that uses it is refused from then on. Members stay as they are.")}</p>
      </Confirm>
    </section>
  )
}
