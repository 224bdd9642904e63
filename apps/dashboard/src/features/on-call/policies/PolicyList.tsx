/** The escalation policies of the organization, each as sentences. */
import type { Policy } from "../../../api/policies.ts"
import { t } from "../../../locales/text.ts"
import { RouteLink } from "../../../ui/Button.tsx"
import { listClass } from "../../../ui/classes.ts"
import { emphasized } from "../../../ui/Emphasis.tsx"
import { idOf } from "../../../ui/held.ts"
import { HeldList } from "../../../ui/HeldList.tsx"
import type { Directory } from "./queries.ts"
import { summaryWords } from "./words.ts"

export const PolicyList = ({
  directory,
  policies
}: {
  readonly policies: ReadonlyArray<Policy>
  readonly directory: Directory
}) => (
  <HeldList
    label={t("Escalation policies")}
    items={policies}
    keyOf={idOf}
    className={listClass}
    rowClass="px-2 py-3"
    empty={
      <p className="text-sm text-soft">
        {t("No policy yet. A policy says who is told of an alert, one after the other, until somebody answers.")}
      </p>
    }
  >
    {(policy) => (
      <>
        <RouteLink
          to="/on-call/policies/$id"
          params={{ id: policy.id }}
          className="line-clamp-2 w-fit font-medium text-ink hover:underline"
        >
          <bdi>{policy.name}</bdi>
        </RouteLink>
        <p className="text-sm break-words text-soft">{emphasized(summaryWords(policy, directory))}</p>
        {policy.warnings.length > 0 && (
          <p className="text-small font-medium text-degraded">
            {t("{count, plural, one {# target would not be reached now} other {# targets would not be reached now}}", {
              count: policy.warnings.length
            })}
          </p>
        )}
      </>
    )}
  </HeldList>
)
