/** A value to copy into the settings of another system. */
import { CopyButton } from "./CopyButton.tsx"

export const CopyRow = ({ label, text }: { readonly label: string; readonly text: string }) => (
  <div className="flex min-w-0 flex-col gap-1">
    <p className="text-sm font-medium">{label}</p>
    <div className="flex flex-wrap items-center gap-2">
      <code className="min-w-0 flex-1 basis-56 rounded-lg bg-ink/6 px-3 py-2 text-small break-all">{text}</code>
      <CopyButton text={text} />
    </div>
  </div>
)
