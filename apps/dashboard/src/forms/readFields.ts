/** What was typed into the fields of a schema, as the values of a request; or which of it cannot be read. */
import { t } from "../locales/text.ts"
import { unreadDuration } from "../locales/time.ts"
import { type FormField, valueOfField } from "./schema.ts"

const unreadable = ({ kind, unit }: FormField): string =>
  kind !== "number" ? t("This is not valid JSON.") : unit === "seconds" ? unreadDuration() : t("This is not a number.")

interface Read {
  readonly errors: { readonly fields: Readonly<Record<string, string>>; readonly general: undefined }
  /** Undefined when a text cannot be read, which the errors then say. */
  readonly values: Readonly<Record<string, unknown>> | undefined
}

/** `empty` is the value of fields without a text: `null` resets them; those that are `undefined` are left out. */
export const readFields = (
  fields: ReadonlyArray<FormField>,
  texts: Readonly<Record<string, string>>,
  empty: null | undefined
): Read => {
  const values: Record<string, unknown> = {}
  const wrong: Record<string, string> = {}
  for (const field of fields) {
    try {
      const value = valueOfField(field, texts[field.name] ?? "") ?? empty
      if (value !== undefined) values[field.name] = value
    } catch {
      wrong[field.name] = unreadable(field)
    }
  }
  return {
    errors: { fields: wrong, general: undefined },
    values: Object.keys(wrong).length === 0 ? values : undefined
  }
}
