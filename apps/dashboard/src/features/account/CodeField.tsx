/** A field for a code of six digits from an app, or for a backup code. */
import { t } from "../../locales/text.ts"
import { TextField } from "../../ui/Field.tsx"

export const CodeField = ({
  error,
  isBackup = false,
  onChange,
  value
}: {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly isBackup?: boolean
  readonly error?: string | undefined
}) => (
  <TextField
    key={String(isBackup)}
    label={isBackup ? t("Backup code") : t("Code from your app")}
    value={value}
    onChange={onChange}
    error={error}
    inputMode={isBackup ? "text" : "numeric"}
    autoComplete={isBackup ? "off" : "one-time-code"}
    autoCorrect="off"
    spellCheck="false"
    maxLength={32}
    isRequired
    autoFocus
    code
  />
)

/** Without the spaces that apps and people put between digits. */
export const plainCode = (code: string): string => code.replaceAll(/\s/g, "")
