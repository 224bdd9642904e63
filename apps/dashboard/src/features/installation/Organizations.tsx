/** The organizations of the installation: search and disable. */
import { t } from "../../locales/text.ts"
import { Moment } from "../../ui/Time.tsx"
import { Directory, DisableButton, DisabledMark } from "./Directory.tsx"
import { type OrganizationOfAll, organizationsQuery } from "./people.ts"
import { useSwitchOrganization } from "./writes.ts"

type Act = "disable" | "enable"

const Row = ({
  onAct,
  organization
}: {
  readonly organization: OrganizationOfAll
  readonly onAct: (act: Act) => void
}) => {
  const { createdAt, members, monitors, name, owners, plan, projects } = organization
  return (
    <>
      <div className="min-w-0 flex-1 basis-64">
        <p className="text-sm font-medium">
          <bdi className="break-words">{name}</bdi>
          <DisabledMark record={organization} />
        </p>
        {owners.length > 0 && (
          <p className="text-small text-soft">
            <bdi className="break-all">{owners.join(", ")}</bdi>
          </p>
        )}
        <p className="text-small text-soft">
          {t("{count, plural, one {# member} other {# members}}", { count: members })} ·{" "}
          {t("{count, plural, one {# project} other {# projects}}", { count: projects })} ·{" "}
          {t("{count, plural, one {# monitor} other {# monitors}}", { count: monitors })} · <bdi>{plan.name}</bdi> ·{" "}
          {t("Added")} <Moment at={createdAt} />
        </p>
      </div>
      <DisableButton record={organization} onAct={onAct} />
    </>
  )
}

const question = (act: Act, { name }: OrganizationOfAll) =>
  act === "enable"
    ? undefined
    : {
        title: t("Disable {name}?", { name }),
        action: t("Disable"),
        consequence: t(
          "Its checks stop, its status pages are not found, and its members and keys are refused, until it is enabled again. Nothing is deleted."
        )
      }

export const Organizations = () => {
  const { mutateAsync: change } = useSwitchOrganization()
  return (
    <Directory<OrganizationOfAll, Act>
      listOf={organizationsQuery}
      act={(act, id) => change({ act, id })}
      title={t("Organizations")}
      searchLabel={t("Search by name or owner")}
      question={question}
      row={(organization, onAct) => <Row organization={organization} onAct={onAct} />}
    />
  )
}
