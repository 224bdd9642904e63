/** `/rules/new` and `/rules/$id` */
import { Link, useParams } from "@tanstack/react-router"
import { useChannels } from "../features/channels/queries.ts"
import { useRules } from "../features/rules/queries.ts"
import { RuleForm } from "../features/rules/RuleForm.tsx"
import { useProjectData } from "../live/ProjectData.tsx"
import { t } from "../locales/text.ts"
import { useKept } from "../ui/held.ts"
import { Icon } from "../ui/Icon.tsx"
import { NotFound, PageError } from "./Failures.tsx"
import { restricted } from "./restricted.tsx"

const RuleEdit = () => {
  const { id } = useParams({ strict: false })
  const { state } = useProjectData()
  const rules = useRules()
  const channels = useChannels()
  const rule = useKept(rules.data, id)
  const error = rules.error ?? channels.error
  if (error !== null && (rules.data === undefined || channels.data === undefined))
    return (
      <PageError
        error={error}
        reset={() => {
          void rules.refetch()
          void channels.refetch()
        }}
      />
    )
  if (rules.data === undefined || channels.data === undefined || state === "loading") return null
  if (id !== undefined && rule === undefined) return <NotFound />
  const title = rule?.name ?? t("New rule")
  return (
    <div className="mx-auto flex max-w-2xl min-w-0 flex-col gap-5">
      <title>{`${title} · Kanmon`}</title>
      <Link to="/channels" className="flex w-fit items-center gap-1.5 text-sm text-soft no-underline hover:text-ink">
        <Icon name="back" className="size-3.5 rtl:-scale-x-100" />
        {t("Channels and rules")}
      </Link>
      <h1>
        <bdi className="line-clamp-3">{title}</bdi>
      </h1>
      <RuleForm key={id ?? "new"} channels={channels.data} {...(rule === undefined ? {} : { rule })} />
    </div>
  )
}

export default restricted("alertRules.write", RuleEdit)
