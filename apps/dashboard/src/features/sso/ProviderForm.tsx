/** The identity provider of the organization: OpenID Connect or SAML, what it must know, who gets which role, and a test. */
import { useQuery } from "@tanstack/react-query"
import { type SyntheticEvent, useState } from "react"
import { Form } from "react-aria-components"
import { sessionQuery } from "../../api/session.ts"
import { useSubmit } from "../../api/useSubmit.ts"
import { t } from "../../locales/text.ts"
import { Button } from "../../ui/Button.tsx"
import { Segments, Switch } from "../../ui/Choice.tsx"
import { Confirm } from "../../ui/Confirm.tsx"
import { PasswordField, TextField } from "../../ui/Field.tsx"
import { FormProblem } from "../../ui/FormProblem.tsx"
import { Notice } from "../../ui/Notice.tsx"
import { Section } from "../../ui/Section.tsx"
import { CopyRow } from "../../ui/CopyRow.tsx"
import { bodyOf, type Draft, draftOf } from "./draft.ts"
import { GroupRoles } from "./GroupRoles.tsx"
import { type SignOnRecord } from "./queries.ts"
import { useRemoveProvider, useSaveProvider } from "./writes.ts"

const names = [
  "issuer",
  "clientId",
  "clientSecret",
  "scopes",
  "groupsClaim",
  "entityId",
  "signInUrl",
  "certificates",
  "attributes",
  "roles",
  "defaultRole",
  "enabled",
  "enforced"
]

export const ProviderForm = ({
  organizationId,
  record
}: {
  readonly organizationId: string
  readonly record: SignOnRecord
}) => {
  const { mutateAsync: saveProvider } = useSaveProvider(organizationId)
  const { mutateAsync: remove } = useRemoveProvider(organizationId)
  const { data: session } = useQuery(sessionQuery)
  const [draft, setDraft] = useState(() => draftOf(record.connection))
  const [isSaved, setSaved] = useState(false)
  const [isRemoving, setRemoving] = useState(false)
  const { errors, isBusy, submit } = useSubmit(names)
  const removal = useSubmit()
  const put = (part: Partial<Draft>) => {
    setSaved(false)
    setDraft((known) => ({ ...known, ...part }))
  }
  const field = (name: keyof Draft & string, error: string = name) => ({
    value: String(draft[name]),
    onChange: (value: string) => put({ [name]: value }),
    error: errors.fields[error],
    autoComplete: "off",
    spellCheck: "false" as const
  })
  const save = (event: SyntheticEvent) => {
    event.preventDefault()
    return submit(async () => {
      await saveProvider(bodyOf(draft))
      put({ clientSecret: "" })
      setSaved(true)
    })
  }
  const isProven = record.domains.some(({ verifiedAt }) => verifiedAt !== null)
  return (
    <Section title={t("Identity provider")}>
      <Form onSubmit={(event) => void save(event)} validationBehavior="aria" className="flex flex-col gap-4">
        <Segments
          label={t("Protocol")}
          value={draft.protocol}
          onChange={(id) => put({ protocol: id === "saml" ? "saml" : "oidc" })}
          options={[
            { id: "oidc", label: "OpenID Connect" },
            { id: "saml", label: "SAML 2.0" }
          ]}
        />
        <div className="flex flex-col gap-3 rounded-xl border border-line p-4">
          <h3 className="text-sm">{t("Enter this at your identity provider")}</h3>
          {draft.protocol === "oidc" ? (
            <CopyRow label={t("Redirect URI")} text={record.redirectUri} />
          ) : (
            <>
              <CopyRow label={t("ACS URL (reply URL)")} text={record.consumerUrl} />
              <CopyRow label={t("Entity ID (audience), which is the address of the metadata")} text={record.entityId} />
            </>
          )}
          <CopyRow label={t("Address that begins a sign-in, for portals")} text={record.startUrl} />
        </div>
        {draft.protocol === "oidc" ? (
          <>
            <TextField
              label={t("Issuer")}
              help={t(
                "Such as https://login.example.com; its configuration is below /.well-known/openid-configuration"
              )}
              type="url"
              isRequired
              code
              {...field("issuer")}
            />
            <TextField label={t("Client ID")} isRequired code {...field("clientId")} />
            <PasswordField
              label={t("Client secret")}
              help={
                record.hasClientSecret
                  ? t("One is stored. Leave this empty to keep it.")
                  : t("Empty for public clients, which PKCE protects alone")
              }
              {...field("clientSecret")}
            />
            <div className="grid gap-4 sm:grid-cols-2">
              <TextField label={t("Scopes")} help={t("Beside openid")} code {...field("scopes")} />
              <TextField label={t("Claim with the groups")} code {...field("groupsClaim")} />
            </div>
          </>
        ) : (
          <>
            <TextField label={t("Entity ID of the identity provider")} isRequired code {...field("entityId")} />
            <TextField label={t("Sign-in URL (HTTP-Redirect)")} type="url" isRequired code {...field("signInUrl")} />
            <TextField
              label={t("Signing certificate")}
              help={t("PEM; two, one after the other, while the provider changes it")}
              isRequired
              rows={5}
              code
              {...field("certificates")}
            />
            <div className="grid gap-4 sm:grid-cols-3">
              <TextField label={t("Attribute: e-mail")} optional code {...field("emailAttribute", "attributes")} />
              <TextField label={t("Attribute: name")} optional code {...field("nameAttribute", "attributes")} />
              <TextField label={t("Attribute: groups")} optional code {...field("groupsAttribute", "attributes")} />
            </div>
          </>
        )}
        <GroupRoles
          roles={draft.roles}
          onChange={(roles) => put({ roles })}
          defaultRole={draft.defaultRole}
          onDefault={(defaultRole) => put({ defaultRole })}
          error={errors.fields["roles"] ?? errors.fields["defaultRole"]}
        />
        <div className="flex flex-col gap-2 border-t border-line pt-3">
          <Switch
            isSelected={draft.enabled}
            onChange={(enabled) => put({ enabled })}
            help={t("Save and test first: the test works before it is switched on.")}
          >
            {t("Members can sign in with it")}
          </Switch>
          <Switch
            isSelected={draft.enforced}
            onChange={(enforced) => put({ enforced })}
            isDisabled={!isProven && !draft.enforced}
            help={
              isProven
                ? t(
                    "Passwords of your domains no longer sign in. Owners with a second factor keep theirs for emergencies, which is recorded."
                  )
                : t("Prove a domain first.")
            }
          >
            {t("Require it for the addresses of your domains")}
          </Switch>
        </div>
        {draft.enforced && session?.user.twoFactorEnabled === false && (
          <Notice tone="degraded">
            {t(
              "You have no second factor: while the identity provider fails, you could not sign in either. Set one up on the page of your account."
            )}
          </Notice>
        )}
        {(errors.fields["enabled"] ?? errors.fields["enforced"]) !== undefined && (
          <Notice>{errors.fields["enabled"] ?? errors.fields["enforced"]}</Notice>
        )}
        <FormProblem errors={errors} />
        {isSaved && <Notice tone="up">{t("Saved.")}</Notice>}
        <div className="flex flex-wrap gap-2">
          <Button kind="primary" type="submit" isDisabled={isBusy}>
            {t("Save")}
          </Button>
          {record.connection !== null && (
            <Button kind="danger" onPress={() => setRemoving(true)}>
              {t("Remove the identity provider")}
            </Button>
          )}
        </div>
      </Form>
      <Confirm
        title={t("Remove the identity provider?")}
        action={t("Remove")}
        isOpen={isRemoving}
        isBusy={removal.isBusy}
        errors={removal.errors}
        onClose={() => setRemoving(false)}
        onConfirm={() =>
          void removal.submit(async () => {
            await remove()
            setRemoving(false)
            setDraft(draftOf(null))
          })
        }
      >
        <p>
          {t("It can no longer be used to sign in. Members stay, and sign in with a password that they set by mail.")}
        </p>
      </Confirm>
    </Section>
  )
}
