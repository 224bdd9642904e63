/** A message at the edge of the window about what was just done, with what can be done about it. */
import type { ReactNode } from "react"
import { createPortal } from "react-dom"
import { t } from "../locales/text.ts"
import { Button } from "./Button.tsx"
import { edge } from "./edge.ts"
import type { NoticeTone } from "./Notice.tsx"
import { Shape } from "./Status.tsx"

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

interface MessageProps {
  readonly children: ReactNode
  readonly onClose: () => void
}

/** How something ended that was asked for, over the page: in the page it would move what is below it. */
export const Outcome = ({ children, onClose, tone }: MessageProps & { readonly tone: NoticeTone }) =>
  createPortal(
    <div
      role={tone === "down" ? "alert" : "status"}
      className={`is-${tone} pointer-events-auto flex max-w-full items-start gap-3 rounded-xl border border-[color-mix(in_srgb,var(--tone)_30%,var(--line))] bg-[color-mix(in_srgb,var(--tone)_var(--tint),var(--surface))] py-2 ps-4 pe-2 text-sm shadow-[0_8px_30px_rgb(0_0_0/.22)]`}
    >
      <Shape tone={tone} className="mt-2" />
      <span className="min-w-0 max-w-prose py-1.5 break-words">{children}</span>
      <Button kind="quiet" onPress={onClose}>
        {t("Close")}
      </Button>
    </div>,
    edge("bottom")
  )

/** Why something was refused. */
export const Refusal = (message: MessageProps) => <Outcome tone="down" {...message} />
