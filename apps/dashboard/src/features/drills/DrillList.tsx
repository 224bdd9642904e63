/** Drills, each with its outcome in one sentence. */
import { Link } from "@tanstack/react-router"
import type { DrillRecord } from "../../api/drills.ts"
import { useHeldBy } from "../../ui/held.ts"
import { Shape } from "../../ui/Status.tsx"
import { Ago, Moment } from "../../ui/Time.tsx"
import { Waiting } from "../../ui/Waiting.tsx"
import { everyWord, outcomeWords, toneOf } from "./words.ts"

const keyOf = ({ id }: DrillRecord): string => id

const Row = ({ drill }: { readonly drill: DrillRecord }) => {
  const { detail, every, id, name, startedAt, startsAt, status } = drill
  return (
    <Link
      to="/on-call/drills/$id"
      params={{ id }}
      className="flex items-start gap-3 rounded-lg px-2 py-3.5 no-underline hover:bg-ink/4"
    >
      <Shape tone={toneOf(drill)} className="mt-1" />
      <div className="flex min-w-0 flex-1 flex-col gap-0.5">
        <p className="flex flex-wrap items-baseline justify-between gap-x-4">
          <bdi className="min-w-0 truncate font-medium">{name}</bdi>
          <span className="text-small text-soft">
            {status === "scheduled" ? <Moment at={startsAt} /> : <Ago at={startedAt ?? startsAt} />}
          </span>
        </p>
        <p className="text-small text-soft">
          {outcomeWords(drill)}
          {every !== null && <> · {everyWord(every)}</>}
          {detail !== null && (
            <>
              {" "}
              · <bdi>{detail}</bdi>
            </>
          )}
        </p>
      </div>
    </Link>
  )
}

export const DrillList = ({
  drills,
  label
}: {
  readonly label: string
  readonly drills: ReadonlyArray<DrillRecord>
}) => {
  const held = useHeldBy(drills, keyOf)
  return (
    <>
      <Waiting held={held} />
      <ul aria-label={label} className="-my-1 divide-y divide-line">
        {held.rows.map((drill) => (
          <li key={drill.id}>
            <Row drill={drill} />
          </li>
        ))}
      </ul>
    </>
  )
}
