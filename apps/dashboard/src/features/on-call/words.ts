/** Times, people and rotations of schedules in words. */
import { listWords } from "../../locales/lists.ts"
import { formatLocale, t } from "../../locales/text.ts"
import { duration } from "../../locales/time.ts"
import { hoursWords, weekdayName } from "../../locales/weekdays.ts"
import type { Layer, OnCall, People } from "./queries.ts"

const formats = new Map<string, Intl.DateTimeFormat>()

const formatOf = (name: "day" | "moment"): Intl.DateTimeFormat => {
  const key = `${name} ${formatLocale()}`
  const known =
    formats.get(key) ??
    new Intl.DateTimeFormat(formatLocale(), {
      weekday: "short",
      day: "numeric",
      month: "short",
      ...(name === "moment" ? { hour: "2-digit", minute: "2-digit" } : {})
    })
  formats.set(key, known)
  return known
}

/** "Mon 23 Nov, 09:00" */
export const momentWords = (at: string | number): string => formatOf("moment").format(new Date(at))

/** "Mon 23 Nov" */
export const dayWords = (at: number): string => formatOf("day").format(new Date(at))

/** "Mon 23 Nov, 09:00 – Mon 30 Nov, 09:00" */
export const spanWords = ({ from, to }: { readonly from: string; readonly to: string }): string =>
  formatOf("moment").formatRange(new Date(from), new Date(to))

export const personName = (people: People, userId: string | null): string =>
  userId === null ? t("No one") : (people.nameOf(userId) ?? t("A former member"))

/** "until Mon 30 Nov, 09:00, then Ben". */
export const untilWords = ({ next, until }: OnCall, people: People): string => {
  const end = until === null ? t("with no end in sight") : t("until {at}", { at: momentWords(until) })
  if (next === null) return end
  const name = personName(people, next.userId)
  return next.from === until
    ? t("{until}, then {name}", { until: end, name })
    : t("{until}; next is {name} from {at}", { until: end, name, at: momentWords(next.from) })
}

const turnWords = ({ every, unit }: Layer["rotation"]): string => {
  if (unit === "hour" || unit === "day") return duration(every * (unit === "hour" ? 3600 : 86_400))
  return unit === "week"
    ? t("{count, plural, one {# week} other {# weeks}}", { count: every })
    : t("{count, plural, one {# month} other {# months}}", { count: every })
}

const handoffWords = ({ handoff: { day, time, weekday }, rotation: { unit } }: Layer): string => {
  if (unit === "hour") return ""
  if (weekday !== undefined)
    return ` ${t("Handoff on {weekday} at {time}.", { weekday: weekdayName(weekday, "long"), time })}`
  return day === undefined
    ? ` ${t("Handoff at {time}.", { time })}`
    : ` ${t("Handoff on day {day} of the month at {time}.", { day, time })}`
}

/** "Ada, Ben and Cleo take turns of 1 week. Handoff on Monday at 09:00. Only Mon–Fri 22:00–06:00." */
export const layerWords = (layer: Layer, people: People): string => {
  const names = layer.participants.map(({ userId }) => personName(people, userId))
  const who =
    names.length === 1
      ? t("{name} alone.", { name: names[0]! })
      : t("{names} take turns of {length}.", { names: listWords(names), length: turnWords(layer.rotation) })
  const hours =
    layer.restrictions === undefined ? "" : ` ${t("Only {hours}.", { hours: hoursWords(layer.restrictions) })}`
  return `${who}${names.length === 1 ? "" : handoffWords(layer)}${hours}`
}
