/** A fact with its name, one of a list. */
import type { ReactNode } from "react"

export const Fact = ({ children, label }: { readonly label: string; readonly children: ReactNode }) => (
  <div className="grid grid-cols-[6.5rem_minmax(0,1fr)] gap-3">
    <dt className="text-soft">{label}</dt>
    <dd className="min-w-0">{children}</dd>
  </div>
)
