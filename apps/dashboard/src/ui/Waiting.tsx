/**
 * The rows that a list holds back until the reader rests: a button over the page, which takes no room and appears
 * beside the pointer only.
 */
import { type ReactNode, useEffect, useRef, useState } from "react"
import { createPortal } from "react-dom"
import { t } from "../locales/text.ts"
import { isClear } from "./attention.ts"
import { Button } from "./Button.tsx"
import { edge } from "./edge.ts"
import type { Held } from "./held.ts"
import { Icon } from "./Icon.tsx"

const lookEvery = 100

const newEntries = (count: number): ReactNode =>
  t("{count, plural, one {# new entry} other {# new entries}}", { count })

export const Waiting = ({
  children = newEntries,
  held: { added, catchUp, isBehind }
}: {
  readonly held: Pick<Held<unknown>, "added" | "catchUp" | "isBehind">
  /** Says how many are new. */
  readonly children?: (count: number) => ReactNode
}) => {
  const place = useRef<HTMLDivElement>(null)
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    if (!isBehind) return setShown(false)
    const look = () => {
      if (place.current !== null && isClear(place.current.getBoundingClientRect())) setShown(true)
    }
    const timer = setInterval(look, lookEvery)
    return () => clearInterval(timer)
  }, [isBehind])
  if (!isBehind) return null
  return createPortal(
    <div ref={place} className={isShown ? "pointer-events-auto" : "invisible"}>
      <Button kind="primary" onPress={catchUp} className="rounded-full shadow-[0_4px_20px_rgb(0_0_0/.25)]">
        <Icon name="refresh" />
        {added.size > 0 ? children(added.size) : t("Update the list")}
      </Button>
    </div>,
    edge("top")
  )
}
