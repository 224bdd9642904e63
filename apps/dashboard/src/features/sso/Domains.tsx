/** The domains of the organization, each proven by a TXT record: for their addresses the identity provider is believed. */
import { type SyntheticEvent, useState } from "react"
import { Form } from "react-aria-components"
import { noErrors } from "../../api/problem.ts"
import { useSubmit } from "../../api/useSubmit.ts"
import { t } from "../../locales/text.ts"
import { Button, IconButton } from "../../ui/Button.tsx"
import { Confirm } from "../../ui/Confirm.tsx"
import { TextField } from "../../ui/Field.tsx"
import { FormProblem } from "../../ui/FormProblem.tsx"
import { HeldList } from "../../ui/HeldList.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { Section } from "../../ui/Section.tsx"
import { Moment } from "../../ui/Time.tsx"
import { Refusal } from "../../ui/Toast.tsx"
import { CopyRow } from "../../ui/CopyRow.tsx"
import type { Domain } from "./queries.ts"
import { useAddDomain, useRemoveDomain, useVerifyDomain } from "./writes.ts"

const Row = ({
  domain: { domain, record, verifiedAt },
  onRemove,
  organizationId
}: {
  readonly domain: Domain
  readonly organizationId: string
  readonly onRemove: () => void
}) => {
  const { mutateAsync: prove } = useVerifyDomain(organizationId)
  const { errors, isBusy, setErrors, submit } = useSubmit(["domain"])
  const problem = errors.fields["domain"] ?? errors.general
  const verify = () => submit(() => prove(domain))
  return (
    <>
      <div className="flex items-center gap-2">
        <div className="min-w-0 flex-1">
          <p className="text-sm font-medium break-all">{domain}</p>
          <p className="text-small">
            {verifiedAt === null ? (
              <span className="font-medium text-degraded">{t("Not proven yet")}</span>
            ) : (
              <span className="text-soft">
                {t("Proven")} <Moment at={verifiedAt} />
              </span>
            )}
          </p>
        </div>
        {verifiedAt === null && (
          <Button
            onPress={() => void verify()}
            isDisabled={isBusy}
            aria-label={`${isBusy ? t("Checking…") : t("Check now")}: ${domain}`}
          >
            {isBusy ? t("Checking…") : t("Check now")}
          </Button>
        )}
        <IconButton aria-label={t("Remove {name}", { name: domain })} onPress={onRemove}>
          <Icon name="trash" />
        </IconButton>
      </div>
      {verifiedAt === null && (
        <div className="flex flex-col gap-3 rounded-xl border border-line p-4">
          <p className="text-sm text-soft">{t("Create this TXT record where the DNS of the domain is managed:")}</p>
          <CopyRow label={t("Name")} text={record.name} />
          <CopyRow label={t("Value")} text={record.value} />
        </div>
      )}
      {problem !== undefined && <Refusal onClose={() => setErrors(noErrors)}>{problem}</Refusal>}
    </>
  )
}

const domainOf = ({ domain }: Domain): string => domain

export const Domains = ({
  domains,
  organizationId
}: {
  readonly organizationId: string
  readonly domains: ReadonlyArray<Domain>
}) => {
  const { mutateAsync: addDomain } = useAddDomain(organizationId)
  const { mutateAsync: remove } = useRemoveDomain(organizationId)
  const [domain, setDomain] = useState("")
  const [doomed, setDoomed] = useState<string | undefined>(undefined)
  const { errors, isBusy, submit } = useSubmit(["domain"])
  const removal = useSubmit()
  const add = (event: SyntheticEvent) => {
    event.preventDefault()
    return submit(async () => {
      await addDomain(domain.trim().toLowerCase())
      setDomain("")
    })
  }
  return (
    <Section title={t("Domains")}>
      <p className="text-sm text-soft">
        {t(
          "For addresses of these domains your identity provider decides who signs in, so you have to prove that they are yours."
        )}
      </p>
      <HeldList label={t("Domains")} items={domains} keyOf={domainOf} rowClass="flex flex-col gap-3 py-3">
        {(each) => <Row domain={each} organizationId={organizationId} onRemove={() => setDoomed(each.domain)} />}
      </HeldList>
      <Form onSubmit={(event) => void add(event)} validationBehavior="aria" className="flex flex-wrap items-end gap-2">
        <div className="min-w-0 flex-1 basis-56">
          <TextField
            label={t("Domain")}
            placeholder="example.com"
            value={domain}
            onChange={setDomain}
            error={errors.fields["domain"]}
            autoComplete="off"
            spellCheck="false"
          />
        </div>
        <Button type="submit" isDisabled={isBusy || domain.trim() === ""}>
          <Icon name="plus" />
          {t("Add the domain")}
        </Button>
      </Form>
      <FormProblem errors={errors} />
      <Confirm
        title={t("Remove {name}?", { name: doomed ?? "" })}
        action={t("Remove")}
        isOpen={doomed !== undefined}
        isBusy={removal.isBusy}
        errors={removal.errors}
        onClose={() => setDoomed(undefined)}
        onConfirm={() =>
          void removal.submit(async () => {
            await remove(doomed ?? "")
            setDoomed(undefined)
          })
        }
      >
        <p>{t("People with an address of this domain can no longer sign in through your identity provider.")}</p>
      </Confirm>
    </Section>
  )
}
