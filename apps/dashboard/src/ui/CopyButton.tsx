/** Copies a text, and says so. Where the browser refuses, it shows the text selected, to be copied by hand. */
import { lazy, Suspense, useState } from "react"
import { copyText } from "../browser/secure.ts"
import { t } from "../locales/text.ts"
import { Button } from "./Button.tsx"
import { Icon } from "./Icon.tsx"

const CopyByHand = lazy(() => import("./CopyByHand.tsx"))

export const CopyButton = ({
  label = t("Copy"),
  text,
  what
}: {
  /** A function where it is known only when the button is pressed. */
  readonly text: string | (() => string)
  readonly label?: string
  /** The copied thing, if the button is an icon. */
  readonly what?: string
}) => {
  const [copied, setCopied] = useState<string | undefined>(undefined)
  const [refused, setRefused] = useState<string | undefined>(undefined)
  const copy = async () => {
    const wanted = typeof text === "string" ? text : text()
    if (await copyText(wanted)) setCopied(wanted)
    else setRefused(wanted)
  }
  const isCopied = copied !== undefined && (typeof text === "function" || copied === text)
  return (
    <>
      {what === undefined ? (
        <Button onPress={() => void copy()}>
          <Icon name="copy" />
          <span aria-live="polite">{isCopied ? t("Copied") : label}</span>
        </Button>
      ) : (
        <Button
          kind="quiet"
          className="shrink-0"
          aria-label={isCopied ? t("Copied {what}", { what }) : t("Copy {what}", { what })}
          onPress={() => void copy()}
        >
          <Icon name={isCopied ? "check" : "copy"} />
        </Button>
      )}
      {refused !== undefined && (
        <Suspense>
          <CopyByHand text={refused} onClose={() => setRefused(undefined)} />
        </Suspense>
      )}
    </>
  )
}
