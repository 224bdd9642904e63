/** How urgent an alert is: a word, and a shape that tells without colour. */
import { type Severity, severityWord } from "../../locales/severities.ts"
import { classes } from "../../ui/classes.ts"

const looks: Readonly<Record<Severity, { readonly path: string; readonly className: string }>> = {
  // Two chevrons, one chevron, a dash.
  critical: { path: "M3 8 L8 3 L13 8 M3 13 L8 8 L13 13", className: "font-medium text-down" },
  warning: { path: "M3 10.5 L8 5.5 L13 10.5", className: "font-medium text-degraded" },
  info: { path: "M3 8 L13 8", className: "text-soft" }
}

export const SeverityMark = ({ severity }: { readonly severity: Severity }) => {
  const { className, path } = looks[severity]
  return (
    <span className={classes("inline-flex items-baseline gap-1", className)}>
      <svg
        viewBox="0 0 16 16"
        aria-hidden
        className="size-3 self-center"
        fill="none"
        stroke="currentColor"
        strokeWidth="2.5"
      >
        <path d={path} />
      </svg>
      {severityWord(severity)}
    </span>
  )
}
