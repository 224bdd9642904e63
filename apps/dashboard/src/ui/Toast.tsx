/** A message at the edge of the window about what was just done, with what can be done about it. */
import type { ReactNode } from "react"

export const Toast = ({ actions, children }: { readonly children: ReactNode; readonly actions?: ReactNode }) => (
  <div className="pointer-events-none fixed inset-x-3 bottom-3 z-30 flex justify-center max-md:bottom-20">
    <div
      role="status"
      className="pointer-events-auto flex max-w-full flex-wrap items-center gap-x-3 gap-y-1 rounded-xl border border-line bg-surface py-2 ps-4 pe-2 text-sm shadow-[0_8px_30px_rgb(0_0_0/.22)]"
    >
      <span className="min-w-0 py-1">{children}</span>
      {actions}
    </div>
  </div>
)
