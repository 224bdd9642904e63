/** A secret to copy; hidden until it is asked for. */
import { useState } from "react"
import { t } from "../../locales/text.ts"
import { Button } from "../../ui/Button.tsx"
import { CopyButton } from "../../ui/CopyButton.tsx"

export const Secret = ({ isShown: shown = false, text }: { readonly text: string; readonly isShown?: boolean }) => {
  const [isShown, show] = useState(shown)
  return (
    <div className="flex flex-wrap items-center gap-2">
      <code className="min-w-0 flex-1 basis-64 rounded-lg bg-ink/6 px-3 py-2 text-small break-all">
        {isShown ? text : `${text.slice(0, 3)}${"•".repeat(20)}`}
      </code>
      <div className="flex gap-2">
        {!shown && <Button onPress={() => show(!isShown)}>{isShown ? t("Hide") : t("Show")}</Button>}
        <CopyButton text={text} />
      </div>
    </div>
  )
}
