/** Pages for failures and unknown addresses. */
import { ApiError } from "../api/problem.ts"
import { t } from "../locales/text.ts"
import { Button, RouteLink } from "../ui/Button.tsx"
import { CopyButton } from "../ui/CopyButton.tsx"
import { EmptyState } from "../ui/Notice.tsx"

const detailsOf = (error: Error): string =>
  [
    `${error.name}: ${error.message}`,
    error instanceof ApiError ? `Status: ${error.status} ${error.code}` : error.stack,
    error instanceof ApiError && error.requestId !== undefined ? `Request: ${error.requestId}` : undefined,
    `Page: ${location.href}`,
    `Time: ${new Date().toISOString()}`
  ]
    .filter((line) => line !== undefined)
    .join("\n")

export const PageError = ({ error: cause, reset }: { readonly error: unknown; readonly reset: () => void }) => {
  const error = cause instanceof Error ? cause : new Error(String(cause))
  return (
    <EmptyState
      whole
      title={t("This page could not be shown")}
      actions={
        <>
          <Button kind="primary" onPress={reset}>
            {t("Try again")}
          </Button>
          <CopyButton label={t("Copy details")} text={() => detailsOf(error)} />
        </>
      }
    >
      <p>{error.message}</p>
      {error instanceof ApiError && error.requestId !== undefined && (
        <p className="mt-1 font-mono text-xs">{t("Request {id}", { id: error.requestId })}</p>
      )}
    </EmptyState>
  )
}

export const NotFound = () => (
  <EmptyState
    whole
    title={t("There is nothing at this address")}
    actions={
      <RouteLink kind="plain" to="/monitors">
        {t("Go to the monitors")}
      </RouteLink>
    }
  >
    <p>{t("The link may be wrong, or what it led to was deleted.")}</p>
  </EmptyState>
)
