/** The shifts of the picture as an accessible list, each with its action. */
import { t } from "../../locales/text.ts"
import { Button } from "../../ui/Button.tsx"
import { HeldList } from "../../ui/HeldList.tsx"
import { listClass } from "../../ui/classes.ts"
import { Initials } from "./Badge.tsx"
import type { Gap, People, Shift, Shifts } from "./queries.ts"
import type { Badge, Span } from "./timeline.ts"
import { personName, spanWords } from "./words.ts"

/** A shift, or a part of the coverage without one. */
type Entry = { readonly kind: "shift"; readonly of: Shift } | { readonly kind: "gap"; readonly of: Gap }

const keyOf = ({ kind, of }: Entry): string => `${kind} ${of.from} ${kind === "shift" ? of.userId : ""}`

/** Present and future entries in order of time. A gap outside of the coverage is not listed. */
const entriesOf = ({ gaps, shifts }: Shifts, now: number, { from, to }: Span): ReadonlyArray<Entry> => {
  const first = Math.max(from, Math.min(now, to))
  return [
    ...shifts.filter(({ userId }) => userId !== null).map((of): Entry => ({ kind: "shift", of })),
    ...gaps.map((of): Entry => ({ kind: "gap", of }))
  ]
    .filter(({ of }) => Date.parse(of.to) > (first >= to ? from : first) && Date.parse(of.from) < to)
    .toSorted((one, other) => Date.parse(one.of.from) - Date.parse(other.of.from))
}

export const ShiftList = ({
  badges,
  now,
  onChange,
  people,
  shifts,
  span
}: {
  readonly shifts: Shifts
  readonly span: Span
  readonly now: number
  readonly people: People
  readonly badges: ReadonlyMap<string, Badge>
  /** Opens the form of an override over this time; undefined for those who may not. */
  readonly onChange: ((over: Gap, userId: string | null) => void) | undefined
}) => (
  <HeldList
    label={t("Shifts")}
    items={entriesOf(shifts, now, span)}
    keyOf={keyOf}
    reset={`${span.from} ${span.to}`}
    className={listClass}
    rowClass="flex flex-wrap items-center gap-x-3 gap-y-1 px-2 py-2"
    empty={<p className="py-4 text-sm text-soft">{t("No shifts in this time")}</p>}
  >
    {({ kind, of }) => {
      const userId = kind === "shift" ? of.userId : null
      const isNow = Date.parse(of.from) <= now && now < Date.parse(of.to)
      const isOver = Date.parse(of.to) <= now
      const words = spanWords(of)
      return (
        <>
          <Initials badge={userId === null ? undefined : badges.get(userId)} />
          <div className="flex min-w-0 flex-1 basis-44 flex-col text-sm sm:flex-row sm:flex-wrap sm:items-baseline sm:gap-x-3">
            <span className={userId === null ? "font-medium text-degraded" : "min-w-0 font-medium break-words"}>
              {userId === null ? t("No one is on call") : <bdi>{personName(people, userId)}</bdi>}
            </span>
            <span className="text-small text-soft tabular-nums">{words}</span>
            <span className="text-small text-soft">
              {[
                isNow ? t("now") : undefined,
                kind === "gap" ? undefined : of.overrideId !== null ? t("Override") : (of.layer ?? undefined)
              ]
                .filter(Boolean)
                .join(" · ")}
            </span>
          </div>
          {onChange !== undefined && !isOver && (
            <Button
              kind="quiet"
              aria-label={
                userId === null
                  ? t("Fill the gap {time}", { time: words })
                  : t("Change the shift of {name}, {time}", { name: personName(people, userId), time: words })
              }
              onPress={() => onChange(of, userId)}
            >
              {userId === null ? t("Fill") : t("Change")}
            </Button>
          )}
        </>
      )
    }}
  </HeldList>
)
