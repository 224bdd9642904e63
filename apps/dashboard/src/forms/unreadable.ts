/** The error of a field with text that cannot be read as its value. */
import { t } from "../locales/text.ts"
import { unreadDuration } from "../locales/time.ts"
import type { FormField } from "./schema.ts"

export const unreadable = ({ kind, unit }: FormField): string =>
  kind !== "number" ? t("This is not valid JSON.") : unit === "seconds" ? unreadDuration() : t("This is not a number.")
