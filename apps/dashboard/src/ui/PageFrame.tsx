/** The head of every page, so that titles and first lines stand at the same edge and height. */
import { createLink } from "@tanstack/react-router"
import { type ReactNode, useEffect, useRef } from "react"
import { Link as AriaLink, type LinkProps } from "react-aria-components"
import { announce } from "./announce.ts"
import { classes } from "./classes.ts"
import { Icon } from "./Icon.tsx"

const widths = {
  /** As wide as the frame allows: lists, and pages with a rail. */
  full: "",
  /** Texts and settings. */
  text: "max-w-3xl",
  /** One column of fields. */
  form: "max-w-2xl"
} as const

const BackAnchor = ({ children, className: _, ...props }: LinkProps) => (
  <AriaLink
    {...props}
    className="grid size-8 shrink-0 place-items-center rounded-lg text-soft hover:bg-ink/6 hover:text-ink max-md:-ms-2 md:absolute md:-start-8 md:top-0.5 pointer-coarse:max-md:size-11 pointer-coarse:max-md:-my-1.5"
  >
    <Icon name="back" className="rtl:-scale-x-100" />
    <span className="sr-only">{children as ReactNode}</span>
  </AriaLink>
)

/** The way to the page above, in the margin beside the title. Its children name that page. */
export const BackLink = createLink(BackAnchor)

/** The title of the page that was shown last; undefined before the first one, which the browser reads out by itself. */
let titleBefore: string | undefined

/**
 * Reads the title of a page out when it replaces another one, and gives it the focus where the focus was on what is gone:
 * the next Tab leads into the page, and not to its beginning.
 */
const useArrival = (title: string) => {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    const isAnother = titleBefore !== undefined && titleBefore !== title
    titleBefore = title
    if (!isAnother) return
    announce(title)
    if (document.activeElement === null || document.activeElement === document.body)
      heading.current?.focus({ preventScroll: true })
  }, [title])
  return heading
}

export const PageFrame = ({
  actions,
  back,
  below,
  children,
  heading,
  isNamedByPart = false,
  title,
  width = "full"
}: {
  /** The title of the window, and of the page unless `heading` is given. */
  readonly title: string
  readonly heading?: ReactNode
  readonly back?: ReactNode
  /** A line below the title. */
  readonly below?: ReactNode
  readonly actions?: ReactNode
  /** The open part of the page names the window. */
  readonly isNamedByPart?: boolean
  readonly width?: keyof typeof widths
  readonly children: ReactNode
}) => {
  const arrived = useArrival(title)
  return (
    <div className={classes("flex min-w-0 flex-col gap-4", widths[width])}>
      {!isNamedByPart && <title>{`${title} · Kanmon`}</title>}
      <div className="flex min-h-9 flex-wrap items-start justify-between gap-x-4 gap-y-2 pointer-coarse:min-h-11">
        <div className="min-w-0 grow basis-64">
          <div className="relative flex min-w-0 items-start gap-1 pt-0.5">
            {back}
            <h1 ref={arrived} tabIndex={-1} className="min-w-0 outline-none">
              <bdi className="line-clamp-3">{heading ?? title}</bdi>
            </h1>
          </div>
          {below}
        </div>
        {actions !== undefined && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </div>
      {children}
    </div>
  )
}
