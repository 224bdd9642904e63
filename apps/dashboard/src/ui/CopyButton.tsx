/** Copies a text, and says so. */
import { useState } from "react"
import { t } from "../locales/text.ts"
import { Button } from "./Button.tsx"
import { Icon } from "./Icon.tsx"

export const CopyButton = ({ text }: { readonly text: string }) => {
  const [copied, setCopied] = useState<string | undefined>(undefined)
  return (
    <Button onPress={() => void navigator.clipboard.writeText(text).then(() => setCopied(text))}>
      <Icon name="copy" />
      <span aria-live="polite">{copied === text ? t("Copied") : t("Copy")}</span>
    </Button>
  )
}
