/** The rules of the project, each as a sentence. */
import { useState } from "react"
import { useMay } from "../../api/permissions.ts"
import { reasonOf } from "../../api/problem.ts"
import { useDeleteRule } from "../../api/rules.ts"
import { nameOfMonitor } from "../../live/names.ts"
import { useProjectData } from "../../live/ProjectData.tsx"
import { t } from "../../locales/text.ts"
import { IconButton, RouteLink } from "../../ui/Button.tsx"
import { classes, listClass } from "../../ui/classes.ts"
import { Confirm } from "../../ui/Confirm.tsx"
import { goneClass, useHeld } from "../../ui/held.ts"
import { Icon } from "../../ui/Icon.tsx"
import { Refusal } from "../../ui/Toast.tsx"
import { Waiting } from "../../ui/Waiting.tsx"
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
  const { project } = data
  const mayWrite = useMay("alertRules.write")
  const [doomed, setDoomed] = useState<Rule | undefined>(undefined)
  const held = useHeld(rules)

  const { error, mutate: remove, reset } = useDeleteRule(project)

  return (
    <>
      {error !== null && <Refusal onClose={reset}>{reasonOf(error)}</Refusal>}
      <Waiting held={held} />
      <ul className={listClass}>
        {held.rows.map((rule) => (
          <li key={rule.id} className={classes("flex items-start gap-3 px-2 py-3.5", held.isGone(rule) && goneClass)}>
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
              <IconButton aria-label={t("Delete {name}", { name: rule.name })} onPress={() => setDoomed(rule)}>
                <Icon name="trash" />
              </IconButton>
            )}
          </li>
        ))}
      </ul>
      <Confirm
        title={t("Delete this rule?")}
        action={t("Delete")}
        isOpen={doomed !== undefined}
        onClose={() => setDoomed(undefined)}
        onConfirm={() => {
          setDoomed(undefined)
          if (doomed !== undefined) remove(doomed.id)
        }}
      >
        <p>{t("Its open alerts are closed, and nothing is sent about them.")}</p>
      </Confirm>
    </>
  )
}
