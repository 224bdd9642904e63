/** Buttons, and links that look like them. */
import { createLink } from "@tanstack/react-router"
import type { ReactNode, Ref } from "react"
import {
  Button as AriaButton,
  type ButtonProps as AriaButtonProps,
  Link as AriaLink,
  type LinkProps
} from "react-aria-components"
import { classes } from "./classes.ts"

export type ButtonKind = "primary" | "plain" | "quiet" | "danger"

const shared =
  "inline-flex min-h-9 pointer-coarse:min-h-11 cursor-default items-center justify-center gap-2 rounded-lg px-3.5 text-sm font-medium no-underline select-none whitespace-nowrap disabled:opacity-50 disabled:cursor-not-allowed transition-colors"

const kinds: Readonly<Record<ButtonKind, string>> = {
  primary: "bg-accent text-surface hover:bg-accent/90 pressed:bg-accent/80",
  plain: "border border-line bg-surface text-ink hover:bg-ink/5 pressed:bg-ink/10",
  quiet: "text-ink hover:bg-ink/6 pressed:bg-ink/12",
  danger: "border border-down/40 text-down hover:bg-down/8 pressed:bg-down/15"
}

const buttonClass = (kind: ButtonKind = "plain", extra?: string): string => classes(shared, kinds[kind], extra)

export interface ButtonProps extends Omit<AriaButtonProps, "className" | "style" | "children"> {
  readonly kind?: ButtonKind
  readonly className?: string
  readonly children?: ReactNode
  readonly ref?: Ref<HTMLButtonElement>
}

export const Button = ({ className, kind = "plain", ...props }: ButtonProps) => (
  <AriaButton {...props} className={buttonClass(kind, className)} />
)

/** A square button with an icon; it needs an `aria-label`. */
export const IconButton = ({
  className,
  kind = "quiet",
  ...props
}: ButtonProps & { readonly "aria-label": string }) => (
  <AriaButton {...props} className={buttonClass(kind, classes("w-9 px-0! pointer-coarse:w-11", className))} />
)

const RoutedAnchor = (props: LinkProps & { readonly kind?: ButtonKind }) => {
  const { className, kind, ...rest } = props
  return (
    <AriaLink
      {...rest}
      className={
        kind === undefined ? (className ?? "") : buttonClass(kind, typeof className === "string" ? className : "")
      }
    />
  )
}

/** A link to a route; with `kind` it looks like a button. */
export const RouteLink = createLink(RoutedAnchor)
