/** A field for a duration, which people read and type as they say it: "5 minutes", "1 h 30 min". */
import { useState } from "react"
import { readDuration, writeDuration } from "../locales/durations.ts"
import { t } from "../locales/text.ts"
import { unreadDuration } from "../locales/time.ts"
import { type FieldText, TextField } from "./Field.tsx"

interface DurationFieldProps extends FieldText {
  readonly name?: string
  /** Seconds, or what was typed while it is no duration. */
  readonly value: string
  readonly onChange: (value: string) => void
  readonly optional?: boolean
  readonly isRequired?: boolean
  readonly autoFocus?: boolean
}

const shownAs = (value: string): string => (/^\d+(?:\.\d+)?$/.test(value) ? writeDuration(Number(value), t) : value)

export const DurationField = ({ error, name, onChange, value, ...props }: DurationFieldProps) => {
  /** While the keyboard is in it: a text that is rewritten under the caret cannot be typed. */
  const [typed, setTyped] = useState<string | undefined>(undefined)
  const isUnread = value.trim() !== "" && readDuration(value) === undefined
  return (
    <TextField
      {...props}
      {...(name === undefined ? {} : { name })}
      error={isUnread && typed === undefined ? unreadDuration() : error}
      value={typed ?? shownAs(value)}
      onChange={(text) => {
        setTyped(text)
        const seconds = readDuration(text)
        onChange(seconds === undefined ? text : String(seconds))
      }}
      onBlur={() => setTyped(undefined)}
      autoComplete="off"
      spellCheck="false"
    />
  )
}
