/** The organizations of the installation: search and disable. */
import { keepPreviousData, useInfiniteQuery, useQueryClient } from "@tanstack/react-query"
import { useDeferredValue, useState } from "react"
import { request } from "../../api/request.ts"
import { useSubmit } from "../../api/useSubmit.ts"
import { t } from "../../locales/text.ts"
import { Button } from "../../ui/Button.tsx"
import { Confirm } from "../../ui/Confirm.tsx"
import { TextField } from "../../ui/Field.tsx"
import { FormProblem } from "../../ui/FormProblem.tsx"
import { Notice } from "../../ui/Notice.tsx"
import { Section } from "../../ui/Section.tsx"
import { Moment } from "../../ui/Time.tsx"
import { allOrganizationsQuery, type OrganizationOfAll } from "./people.ts"

const Row = ({
  onDisable,
  onEnable,
  organization: { createdAt, disabledAt, members, monitors, name, owners, plan, projects }
}: {
  readonly organization: OrganizationOfAll
  readonly onDisable: () => void
  readonly onEnable: () => void
}) => (
  <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
    <div className="min-w-0 flex-1 basis-64">
      <p className="text-sm font-medium">
        <bdi className="break-words">{name}</bdi>
        {disabledAt !== null && <span className="ms-2 text-[0.8125rem] font-medium text-down">{t("Disabled")}</span>}
      </p>
      {owners.length > 0 && (
        <p className="text-[0.8125rem] text-soft">
          <bdi className="break-all">{owners.join(", ")}</bdi>
        </p>
      )}
      <p className="text-[0.8125rem] text-soft">
        {t("{count, plural, one {# member} other {# members}}", { count: members })} ·{" "}
        {t("{count, plural, one {# project} other {# projects}}", { count: projects })} ·{" "}
        {t("{count, plural, one {# monitor} other {# monitors}}", { count: monitors })} · <bdi>{plan.name}</bdi> ·{" "}
        {t("Added")} <Moment at={createdAt} />
      </p>
    </div>
    {disabledAt === null ? (
      <Button onPress={onDisable} aria-label={t("Disable {name}", { name })}>
        {t("Disable")}
      </Button>
    ) : (
      <Button onPress={onEnable} aria-label={t("Enable {name}", { name })}>
        {t("Enable")}
      </Button>
    )}
  </li>
)

export const Organizations = () => {
  const client = useQueryClient()
  const [typed, setTyped] = useState("")
  const q = useDeferredValue(typed.trim())
  const { data, error, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery({
    ...allOrganizationsQuery(q),
    placeholderData: keepPreviousData
  })
  const [doomed, setDoomed] = useState<OrganizationOfAll | undefined>(undefined)
  const { errors, isBusy, submit } = useSubmit()
  const enabling = useSubmit()
  const organizations = data?.pages.flatMap(({ items }) => items)
  const run = async (act: "disable" | "enable", { id }: OrganizationOfAll) => {
    await request("POST", `/installation/organizations/${id}/${act}`)
    await client.invalidateQueries({ queryKey: ["installation", "organizations"] })
    setDoomed(undefined)
  }
  return (
    <Section title={t("Organizations")}>
      {error !== null && <Notice>{error.message}</Notice>}
      <FormProblem errors={enabling.errors} />
      <TextField
        label={t("Search by name or owner")}
        type="search"
        value={typed}
        onChange={setTyped}
        autoComplete="off"
      />
      {organizations?.length === 0 && <p className="text-sm text-soft">{t("Nothing matches")}</p>}
      {organizations !== undefined && organizations.length > 0 && (
        <ul aria-label={t("Organizations")} className="-my-1 divide-y divide-line">
          {organizations.map((organization) => (
            <Row
              key={organization.id}
              organization={organization}
              onDisable={() => setDoomed(organization)}
              onEnable={() => void enabling.submit(() => run("enable", organization))}
            />
          ))}
        </ul>
      )}
      {hasNextPage && (
        <div className="flex justify-center">
          <Button onPress={() => void fetchNextPage()} isDisabled={isFetchingNextPage}>
            {t("Show more")}
          </Button>
        </div>
      )}
      <Confirm
        title={t("Disable {name}?", { name: doomed?.name ?? "" })}
        action={t("Disable")}
        isOpen={doomed !== undefined}
        isBusy={isBusy}
        errors={errors}
        onClose={() => setDoomed(undefined)}
        onConfirm={() =>
          void submit(async () => {
            if (doomed !== undefined) await run("disable", doomed)
          })
        }
      >
        <p>
          {t(
            "Its checks stop, its status pages are not found, and its members and keys are refused, until it is enabled again. Nothing is deleted."
          )}
        </p>
      </Confirm>
    </Section>
  )
}
