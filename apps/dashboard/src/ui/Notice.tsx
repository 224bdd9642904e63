/** A message in the page: an error, a warning, or news. */
import type { ReactNode } from "react"
import { t } from "../locales/text.ts"
import { classes } from "./classes.ts"
import { Shape } from "./Status.tsx"

export type NoticeTone = "down" | "degraded" | "up" | "maintenance"

export const Notice = ({
  actions,
  children,
  className,
  tone = "down"
}: {
  readonly tone?: NoticeTone
  readonly children: ReactNode
  readonly actions?: ReactNode
  readonly className?: string
}) => (
  <div
    role={tone === "down" ? "alert" : "status"}
    className={classes(
      `is-${tone}`,
      "flex flex-wrap items-start gap-x-3 gap-y-2 rounded-xl border border-[color-mix(in_srgb,var(--tone)_30%,var(--line))] bg-[color-mix(in_srgb,var(--tone)_var(--tint),var(--surface))] px-4 py-3 text-sm",
      className
    )}
  >
    <Shape tone={tone} className="mt-0.5" />
    <div className="min-w-0 flex-1 basis-48">{children}</div>
    {actions}
  </div>
)

/** That what is shown may be old, at the upper edge of the window. */
export const LostConnection = () => (
  <p className="is-degraded rounded-b-lg border border-t-0 border-[color-mix(in_srgb,var(--tone)_40%,var(--line))] bg-[color-mix(in_srgb,var(--tone)_14%,var(--surface))] px-4 py-1 text-center text-small">
    {t("The connection to Kanmon is lost. This page may be out of date. Trying to reconnect.")}
  </p>
)

/** The placeholder of an empty list or page; `whole` if it stands for the page. */
export const EmptyState = ({
  actions,
  children,
  title,
  whole = false
}: {
  readonly title: string
  readonly whole?: boolean
  readonly children?: ReactNode
  readonly actions?: ReactNode
}) => (
  <div className="flex flex-col items-center gap-2 px-4 py-14 text-center">
    {whole ? (
      <>
        <title>{`${title} · Kanmon`}</title>
        <h1>{title}</h1>
      </>
    ) : (
      <h2>{title}</h2>
    )}
    {children !== undefined && <div className="max-w-md text-soft">{children}</div>}
    {actions !== undefined && <div className="mt-3 flex flex-wrap justify-center gap-2">{actions}</div>}
  </div>
)
