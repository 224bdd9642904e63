/** A person as schedules show them: initials on their colour. */
import { classes } from "../../ui/classes.ts"
import type { Badge } from "./timeline.ts"

const tones = [
  "[--tone:var(--series-1)]",
  "[--tone:var(--series-2)]",
  "[--tone:var(--series-3)]",
  "[--tone:var(--series-4)]",
  "[--tone:var(--series-5)]"
]

/** Sets the colour of a person. */
export const toneClass = ({ series }: Pick<Badge, "series">): string => tones[series - 1]!

/** A surface in the colour of a person. */
export const personSurface = "bg-[color-mix(in_srgb,var(--tone)_20%,var(--surface))] text-ink"

/** Beside the name, which is what screen readers say. Without a badge: nobody. */
export const Initials = ({ badge, className }: { readonly badge: Badge | undefined; readonly className?: string }) => (
  <span
    aria-hidden="true"
    className={classes(
      "grid h-6 min-w-6 shrink-0 place-items-center rounded-lg px-1 text-xs font-semibold",
      badge === undefined
        ? "is-degraded border border-dashed border-(--tone) text-(--tone)"
        : `${toneClass(badge)} ${personSurface} border border-(--tone)`,
      className
    )}
  >
    {badge?.initials ?? "–"}
  </span>
)
