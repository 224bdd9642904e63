/** The report of a drill: its outcome, the people and channels with their times, and what happened as a story. */
import type { ReactNode } from "react"
import type { Report as DrillReport } from "../../api/drills.ts"
import { t } from "../../locales/text.ts"
import { duration, moment, utc } from "../../locales/time.ts"
import { partClass, tonedClass } from "../../ui/classes.ts"
import { Shape, type Tone } from "../../ui/Status.tsx"
import { Ago, Moment } from "../../ui/Time.tsx"
import { everyWord, failureWords, outcomeWords, personWords, reachedWords, toneOf } from "./words.ts"

/** One moment of the story. */
export interface Told {
  readonly key: string
  readonly at: string
  readonly tone: Tone
  readonly title: ReactNode
  readonly body?: ReactNode
}

const Headline = ({ report }: { readonly report: DrillReport }) => {
  const tone = toneOf(report)
  const { detail, every, startedAt, startsAt, status } = report
  const reached = reachedWords(report)
  return (
    <div className={`is-${tone} flex items-start gap-3.5 ${tonedClass}`} role="status">
      <Shape tone={tone} className="mt-0.5 size-7" />
      <div className="min-w-0 flex-1">
        <p className="text-lg leading-snug font-semibold">
          <bdi>{outcomeWords(report)}</bdi>
        </p>
        <p className="mt-0.5 text-sm text-soft">
          {status === "scheduled" || status === "skipped" ? (
            <Moment at={startsAt} />
          ) : (
            <Ago at={startedAt ?? startsAt} />
          )}
          {every !== null && <> · {everyWord(every)}</>}
          {reached !== "" && <> · {reached}</>}
        </p>
        {detail !== null && (
          <p className="mt-0.5 text-sm">
            <bdi>{detail}</bdi>
          </p>
        )}
      </div>
    </div>
  )
}

const Target = ({
  failed,
  name,
  said,
  tone
}: {
  readonly name: string
  readonly said: string
  readonly tone: Tone
  readonly failed: DrillReport["people"][number]["failed"]
}) => (
  <li className="flex items-start gap-3 py-3">
    <Shape tone={tone} className="mt-1" />
    <div className="min-w-0 flex-1">
      <p className="flex flex-wrap gap-x-3">
        <bdi className="font-medium break-words">{name}</bdi>
        <span className="text-soft">{said}</span>
      </p>
      {[...new Set(failed.map(failureWords))].map((words) => (
        <p key={words} className="text-sm break-words text-down">
          <bdi>{words}</bdi>
        </p>
      ))}
    </div>
  </li>
)

const People = ({ people }: Pick<DrillReport, "people">) => (
  <section className={partClass}>
    <h2>{t("People")}</h2>
    <ul className="-my-1 divide-y divide-line">
      {people.map((person) => (
        <Target
          key={person.userId}
          name={person.name ?? t("A former member")}
          said={personWords(person)}
          tone={person.reachedAfterSeconds === null ? (person.failed.length > 0 ? "down" : "quiet") : "up"}
          failed={person.failed}
        />
      ))}
    </ul>
  </section>
)

const Channels = ({ channels }: Pick<DrillReport, "channels">) => (
  <section className={partClass}>
    <h2>{t("Channels")}</h2>
    <ul className="-my-1 divide-y divide-line">
      {channels.map(({ channelId, failed, name, reachedAfterSeconds: seconds }) => (
        <Target
          key={channelId}
          name={name ?? t("A deleted channel")}
          said={seconds === null ? t("Not reached") : t("Reached after {duration}", { duration: duration(seconds) })}
          tone={seconds === null ? (failed.length > 0 ? "down" : "quiet") : "up"}
          failed={failed}
        />
      ))}
    </ul>
  </section>
)

/** When something happened, counted from the beginning; the instant is in its title. */
const Since = ({ at, startedAt }: { readonly startedAt: string; readonly at: string }) => {
  const seconds = Math.max(0, Math.round((Date.parse(at) - Date.parse(startedAt)) / 1000))
  return (
    <time dateTime={at} title={`${moment(at)} · ${utc(at)}`}>
      {seconds === 0 ? t("at once") : t("after {duration}", { duration: duration(seconds) })}
    </time>
  )
}

const Story = ({ startedAt, story }: { readonly startedAt: string; readonly story: ReadonlyArray<Told> }) => (
  <section className={partClass}>
    <h2>{t("What happened")}</h2>
    <ol className="flex flex-col">
      {story.map(({ at, body, key, title, tone }, index) => (
        <li key={key} className="relative flex gap-3 pb-5 last:pb-0">
          <span className="absolute start-[0.4375rem] top-6 bottom-1 w-px bg-line in-[li:last-child]:hidden" />
          <Shape tone={tone} className="mt-1" />
          <div className="min-w-0 flex-1">
            <p className="flex flex-wrap justify-between gap-x-4">
              <bdi className="font-medium">{title}</bdi>
              <span className="text-sm text-soft tabular-nums">
                {index === 0 ? <Moment at={at} /> : <Since startedAt={startedAt} at={at} />}
              </span>
            </p>
            {body !== undefined && <div className="text-sm text-soft">{body}</div>}
          </div>
        </li>
      ))}
    </ol>
  </section>
)

export const Report = ({ report, story }: { readonly report: DrillReport; readonly story: ReadonlyArray<Told> }) => (
  <>
    <Headline report={report} />
    {report.people.length > 0 && <People people={report.people} />}
    {report.channels.length > 0 && <Channels channels={report.channels} />}
    {report.startedAt !== null && story.length > 0 && <Story startedAt={report.startedAt} story={story} />}
  </>
)
