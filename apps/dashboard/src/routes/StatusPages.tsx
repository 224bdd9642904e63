/** `/status-pages` */
import { useMay } from "../api/permissions.ts"
import { PageList } from "../features/status-pages/PageList.tsx"
import { useStatusPages } from "../features/status-pages/queries.ts"
import { t } from "../locales/text.ts"
import { RouteLink } from "../ui/Button.tsx"
import { Icon } from "../ui/Icon.tsx"
import { EmptyState } from "../ui/Notice.tsx"
import { PageError } from "./Failures.tsx"
import { PageFrame } from "../ui/PageFrame.tsx"

const StatusPages = () => {
  const mayWrite = useMay("statusPages.write")
  const { data, error, refetch } = useStatusPages()
  if (data === undefined) return error === null ? null : <PageError error={error} reset={() => void refetch()} />
  const create = mayWrite && (
    <RouteLink to="/status-pages/new" kind="primary">
      <Icon name="plus" />
      {t("New status page")}
    </RouteLink>
  )
  return (
    <PageFrame title={t("Status pages")} width="text" actions={data.length > 0 && create}>
      {data.length === 0 ? (
        <EmptyState title={t("No status page yet")} actions={create}>
          <p>{t("A status page shows your visitors what is up, what is not, and what you do about it.")}</p>
        </EmptyState>
      ) : (
        <PageList pages={data} />
      )}
    </PageFrame>
  )
}

export default StatusPages
