/** Quiet hours in words. */
import { t } from "../locales/text.ts"
import { hoursWords } from "../locales/weekdays.ts"
import type { QuietHours } from "./quietHours.ts"

/** What waits and what does not, by the severity below which messages wait. */
export const holdWords = (holdBelow: QuietHours["holdBelow"]): string =>
  holdBelow === "critical"
    ? t("warnings and information wait, critical alerts do not")
    : holdBelow === "warning"
      ? t("information waits, warnings and critical alerts do not")
      : t("nothing waits, because nothing is less urgent than information")

/** "Mon–Fri 22:00–07:00 (Europe/Berlin): warnings and information wait, critical alerts do not." */
export const quietWords = ({ holdBelow, timezone, windows }: QuietHours): string =>
  t("{hours} ({zone}): {hold}.", { hours: hoursWords(windows), zone: timezone, hold: holdWords(holdBelow) })
