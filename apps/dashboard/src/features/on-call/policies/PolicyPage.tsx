/** An escalation policy: its sentences, what it would not reach, what uses it, and what it would do. */
import type { Policy } from "../../../api/policies.ts"
import type { OrganizationRecord } from "../../../api/organizations.ts"
import { Parts } from "../../../api/Parts.tsx"
import { useProject } from "../../../api/session.ts"
import { t } from "../../../locales/text.ts"
import { RouteLink } from "../../../ui/Button.tsx"
import { Notice } from "../../../ui/Notice.tsx"
import { Section } from "../../../ui/Section.tsx"
import { PolicySentences } from "./PolicySentences.tsx"
import { type Directory, useUses } from "./queries.ts"
import { WhatWouldHappen } from "./WhatWouldHappen.tsx"

const Uses = ({ policyId }: { readonly policyId: string }) => {
  const project = useProject()
  const uses = useUses().filter(({ rule }) => rule.escalationPolicyId === policyId)
  if (uses.length === 0)
    return (
      <p className="text-sm text-soft">
        {t("No alert rule uses it yet: choose it in a rule, and people are told of its alerts.")}
      </p>
    )
  return (
    <ul aria-label={t("Rules that use it")} className="-my-1 divide-y divide-line text-sm">
      {uses.map(({ projectId, projectName, rule }) => (
        <li key={rule.id} className="py-2">
          {projectId === project?.id ? (
            <RouteLink to="/rules/$id" params={{ id: rule.id }} className="font-medium text-ink hover:underline">
              <bdi>{rule.name}</bdi>
            </RouteLink>
          ) : (
            <>
              <bdi className="font-medium">{rule.name}</bdi> <span className="text-soft">{projectName}</span>
            </>
          )}
        </li>
      ))}
    </ul>
  )
}

export const PolicyPage = ({
  directory,
  organization,
  policy
}: {
  readonly policy: Policy
  readonly organization: OrganizationRecord
  readonly directory: Directory
}) => (
  <Parts>
    {policy.warnings.length > 0 && (
      <Notice tone="degraded">
        {policy.warnings.map(({ message, path }) => (
          <p key={path}>{message}</p>
        ))}
      </Notice>
    )}
    <PolicySentences plan={policy} directory={directory} label={t("Steps")} />
    <WhatWouldHappen organizationId={organization.id} policy={policy} directory={directory} />
    <Section title={t("Used by")}>
      <Uses policyId={policy.id} />
    </Section>
  </Parts>
)
