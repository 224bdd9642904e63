/** The search of the list. The text shows immediately; the list follows when the browser has time. */
import { startTransition, useEffect, useRef, useState } from "react"
import { t } from "../../locales/text.ts"
import { classes, inputClass } from "../../ui/classes.ts"
import { Icon } from "../../ui/Icon.tsx"
import { useShortcuts } from "../../ui/shortcuts.ts"

export const SearchBox = ({
  onChange,
  value
}: {
  readonly value: string
  readonly onChange: (text: string) => void
}) => {
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState(value)
  const sent = useRef(value)
  // The address can change by itself: a link, or the way back.
  useEffect(() => {
    if (value === sent.current) return
    sent.current = value
    setTyped(value)
  }, [value])
  const change = (text: string) => {
    setTyped(text)
    sent.current = text
    startTransition(() => onChange(text))
  }
  useShortcuts([{ keys: "/", label: t("Search"), run: () => input.current?.focus() }])
  return (
    <div className="group relative flex-1 max-sm:basis-full">
      <Icon name="search" className="pointer-events-none absolute start-2.5 top-0 bottom-0 my-auto text-soft" />
      <input
        ref={input}
        type="search"
        aria-label={t("Search monitors")}
        placeholder={t("Search")}
        value={typed}
        onChange={({ currentTarget: { value } }) => change(value)}
        onKeyDown={({ currentTarget, key }) => {
          if (key !== "Escape") return
          if (typed === "") currentTarget.blur()
          else change("")
        }}
        className={classes(inputClass, "ps-9 [&::-webkit-search-cancel-button]:hidden")}
      />
      <kbd className="pointer-events-none absolute end-2.5 top-0 bottom-0 my-auto grid h-5 w-5 place-items-center rounded-sm border border-line text-xs text-soft group-focus-within:hidden pointer-coarse:hidden">
        /
      </kbd>
    </div>
  )
}
