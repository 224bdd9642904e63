/** Tokens with which a directory creates and removes members (SCIM 2.0). */
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { type SyntheticEvent, useState } from "react"
import { Form } from "react-aria-components"
import { request } from "../../api/request.ts"
import { useSubmit } from "../../api/useSubmit.ts"
import { t } from "../../locales/text.ts"
import { Button, IconButton } from "../../ui/Button.tsx"
import { Confirm } from "../../ui/Confirm.tsx"
import { TextField } from "../../ui/Field.tsx"
import { FormProblem } from "../../ui/FormProblem.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { Notice } from "../../ui/Notice.tsx"
import { Section } from "../../ui/Section.tsx"
import { Ago, Moment } from "../../ui/Time.tsx"
import { CopyRow } from "./CopyRow.tsx"
import { type ScimToken, scimTokensQuery } from "./queries.ts"

export const ScimTokens = ({
  address,
  organizationId
}: {
  readonly organizationId: string
  readonly address: string
}) => {
  const client = useQueryClient()
  const query = scimTokensQuery(organizationId)
  const { data: tokens = [], error } = useQuery(query)
  const [name, setName] = useState("")
  const [created, setCreated] = useState<string | undefined>(undefined)
  const [doomed, setDoomed] = useState<ScimToken | undefined>(undefined)
  const { errors, isBusy, submit } = useSubmit(["name"])
  const removal = useSubmit()
  const path = `/organizations/${organizationId}/scim-tokens`
  const refresh = () => client.invalidateQueries({ queryKey: query.queryKey })
  const create = (event: SyntheticEvent) => {
    event.preventDefault()
    return submit(async () => {
      const { token } = await request<ScimToken & { readonly token: string }>("POST", path, {
        body: { name: name.trim() }
      })
      setName("")
      setCreated(token)
      await refresh()
    })
  }
  return (
    <Section title={t("Provisioning (SCIM 2.0)")}>
      <p className="text-sm text-soft">
        {t("Your directory creates members before they sign in, and removes them the moment they leave.")}
      </p>
      {error !== null && <Notice>{error.message}</Notice>}
      <CopyRow label={t("Base URL")} text={address} />
      {created !== undefined && (
        <Notice tone="up">
          <CopyRow label={t("Copy the token now: it is not shown again.")} text={created} />
        </Notice>
      )}
      {tokens.length > 0 && (
        <ul aria-label={t("Tokens")} className="-my-1 divide-y divide-line">
          {tokens.map((token) => (
            <li key={token.id} className="flex items-center gap-2 py-2.5">
              <div className="min-w-0 flex-1">
                <p className="text-sm font-medium">
                  <bdi className="break-words">{token.name}</bdi>
                </p>
                <p className="text-[0.8125rem] text-soft">
                  {token.lastUsedAt === null ? (
                    t("Never used")
                  ) : (
                    <>
                      {t("Last used")} <Ago at={token.lastUsedAt} />
                    </>
                  )}{" "}
                  · {t("Added")} <Moment at={token.createdAt} />
                </p>
              </div>
              <IconButton aria-label={t("Delete {name}", { name: token.name })} onPress={() => setDoomed(token)}>
                <Icon name="trash" />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      <Form
        onSubmit={(event) => void create(event)}
        validationBehavior="aria"
        className="flex flex-wrap items-end gap-2"
      >
        <div className="min-w-0 flex-1 basis-56">
          <TextField
            label={t("Name of the new token")}
            value={name}
            onChange={setName}
            error={errors.fields["name"]}
            autoComplete="off"
          />
        </div>
        <Button type="submit" isDisabled={isBusy || name.trim() === ""}>
          {t("Create token")}
        </Button>
      </Form>
      <FormProblem errors={errors} />
      <Confirm
        title={t("Delete {name}?", { name: doomed?.name ?? "" })}
        action={t("Delete")}
        isOpen={doomed !== undefined}
        isBusy={removal.isBusy}
        errors={removal.errors}
        onClose={() => setDoomed(undefined)}
        onConfirm={() =>
          void removal.submit(async () => {
            await request("DELETE", `${path}/${doomed?.id ?? ""}`)
            setDoomed(undefined)
            setCreated(undefined)
            await refresh()
          })
        }
      >
        <p>{t("The directory that uses it is refused from then on.")}</p>
      </Confirm>
    </Section>
  )
}
