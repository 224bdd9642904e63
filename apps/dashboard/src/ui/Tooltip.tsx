/** A hint at a control. */
import type { ReactNode } from "react"
import { OverlayArrow, Tooltip as AriaTooltip, TooltipTrigger } from "react-aria-components"

/** More about a control, on hover and focus. Never the only place of anything. */
export const Tooltip = ({ children, text }: { readonly children: ReactNode; readonly text: string }) => (
  <TooltipTrigger delay={400} closeDelay={100}>
    {children}
    <AriaTooltip
      offset={6}
      className="max-w-xs rounded-lg bg-ink px-2.5 py-1.5 text-small text-ground shadow-[0_6px_24px_rgb(0_0_0/.22)]"
    >
      <OverlayArrow />
      {text}
    </AriaTooltip>
  </TooltipTrigger>
)
