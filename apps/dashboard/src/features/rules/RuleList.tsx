/** The rules of the project, each as a sentence. */
import { useMay } from "../../api/permissions.ts"
import { useDeleteRule } from "../../api/rules.ts"
import { refusalOf } from "../../api/write.ts"
import { nameOfMonitor } from "../../live/names.ts"
import { useProjectData } from "../../live/ProjectData.tsx"
import { t } from "../../locales/text.ts"
import { IconButton, RouteLink } from "../../ui/Button.tsx"
import { DeletableList } from "../../ui/DeletableList.tsx"
import { Icon } from "../../ui/Icon.tsx"
import type { ChannelName, PolicyName, Rule } from "./queries.ts"
import { Sentence } from "./sentence.tsx"

export const RuleList = ({
  channels,
  policies,
  rules
}: {
  readonly rules: ReadonlyArray<Rule>
  readonly channels: ReadonlyArray<ChannelName>
  readonly policies: ReadonlyArray<PolicyName>
}) => {
  const data = useProjectData()
  const mayWrite = useMay("alertRules.write")
  const { mutate: remove, ...attempt } = useDeleteRule(data.project)
  return (
    <DeletableList
      label={t("Rules")}
      items={rules}
      rowClass="flex items-start gap-3 px-2 py-3.5"
      remove={remove}
      {...refusalOf([attempt])}
      question={t("Delete this rule?")}
      consequence={() => t("Its open alerts are closed, and nothing is sent about them.")}
    >
      {(rule, onDelete) => (
        <>
          <div className="flex min-w-0 flex-1 flex-col gap-0.5">
            {mayWrite ? (
              <RouteLink
                to="/rules/$id"
                params={{ id: rule.id }}
                className="line-clamp-2 w-fit font-medium text-ink hover:underline"
              >
                <bdi>{rule.name}</bdi>
              </RouteLink>
            ) : (
              <bdi className="line-clamp-2 w-fit font-medium">{rule.name}</bdi>
            )}
            <p className="text-sm text-soft">
              <Sentence
                rule={rule}
                channels={channels}
                policies={policies}
                monitorName={(id) => nameOfMonitor(data, id, t("a deleted monitor"))}
              />
            </p>
          </div>
          {mayWrite && (
            <IconButton aria-label={t("Delete {name}", { name: rule.name })} onPress={onDelete}>
              <Icon name="trash" />
            </IconButton>
          )}
        </>
      )}
    </DeletableList>
  )
}
