/** `/status-pages/new` and `/status-pages/$id` */
import { useParams } from "@tanstack/react-router"
import { PageForm } from "../features/status-pages/PageForm.tsx"
import { pageAddress, useStatusPages } from "../features/status-pages/queries.ts"
import { useProjectData } from "../live/ProjectData.tsx"
import { t } from "../locales/text.ts"
import { useKept } from "../ui/held.ts"
import { NotFound, PageError } from "./Failures.tsx"
import { restricted } from "./restricted.tsx"
import { BackLink, PageFrame } from "../ui/PageFrame.tsx"

const StatusPageEdit = () => {
  const { id } = useParams({ strict: false })
  const { state } = useProjectData()
  const { data, error, refetch } = useStatusPages()
  const page = useKept(data, id)
  if (data === undefined) return error === null ? null : <PageError error={error} reset={() => void refetch()} />
  if (state === "loading") return null
  if (id !== undefined && page === undefined) return <NotFound />
  const title = page?.name ?? t("New status page")
  return (
    <PageFrame
      title={title}
      back={<BackLink to="/status-pages">{t("Status pages")}</BackLink>}
      actions={
        page !== undefined && (
          <a
            href={pageAddress(page.slug)}
            target="_blank"
            rel="noreferrer"
            className="inline-flex min-h-9 items-center rounded-lg border border-line px-3.5 text-sm font-medium text-ink no-underline hover:bg-ink/5 pointer-coarse:min-h-11"
          >
            {t("Open the page")}
          </a>
        )
      }
    >
      <PageForm key={id ?? "new"} {...(page === undefined ? {} : { page })} />
    </PageFrame>
  )
}

export default restricted("statusPages.write", StatusPageEdit)
