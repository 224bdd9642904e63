/** Something that is wrong: an edge in its colour, the reason, and the acts in it. */
import type { ReactNode } from "react"
import type { Tone } from "./Status.tsx"

export const Band = ({
  acts,
  children,
  tone
}: {
  readonly tone: Tone
  readonly children: ReactNode
  readonly acts?: ReactNode
}) => (
  <div
    className={`is-${tone} flex flex-wrap items-start gap-x-6 gap-y-3 rounded-e-xl border-s-3 border-(--tone) bg-[color-mix(in_srgb,var(--tone)_var(--tint),var(--surface))] px-5 py-4`}
  >
    <div className="min-w-0 flex-1 basis-72">{children}</div>
    {acts}
  </div>
)
