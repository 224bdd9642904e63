/** The stages of one check as a bar, and in words. */
import type { Timing } from "@kanmon/domain/Observation"
import { millis } from "../locales/time.ts"
import { t, type Text } from "../locales/text.ts"

type Stage = keyof typeof Timing.Type

export const stages: ReadonlyArray<Stage> = ["dns", "connect", "tls", "firstByte", "download"]

export const stageNames: Readonly<Record<Stage, Text>> = {
  dns: "DNS",
  connect: "Connection",
  tls: "TLS handshake",
  firstByte: "First byte",
  download: "Download"
}

const fills = ["fill-series-1", "fill-series-2", "fill-series-3", "fill-series-4", "fill-series-5"]

export const Stages = ({
  of,
  timing
}: {
  readonly timing: typeof Timing.Type
  /** The meaning of the whole width if several bars are compared; by default the sum of the stages. */
  readonly of?: number
}) => {
  const known = stages.flatMap((stage) => (timing[stage] === undefined ? [] : [{ stage, value: timing[stage] }]))
  const total = of ?? known.reduce((sum, { value }) => sum + value, 0)
  if (known.length === 0) return null
  let start = 0
  return (
    <div className="flex flex-col gap-1.5">
      {total > 0 && (
        <svg viewBox="0 0 100 4" preserveAspectRatio="none" className="h-2 w-full rounded-sm" aria-hidden="true">
          {known.map(({ stage, value }) => {
            const from = start
            start += (value / total) * 100
            return (
              <rect
                key={stage}
                x={from}
                width={Math.max((value / total) * 100 - 0.3, 0.2)}
                height="4"
                className={fills[stages.indexOf(stage)]!}
              />
            )
          })}
        </svg>
      )}
      <ul className="flex flex-wrap gap-x-4 gap-y-0.5 text-small text-soft">
        {known.map(({ stage, value }) => (
          <li key={stage} className="flex items-center gap-1.5">
            <svg viewBox="0 0 8 8" className="size-2" aria-hidden="true">
              <rect width="8" height="8" rx="2" className={fills[stages.indexOf(stage)]!} />
            </svg>
            {t(stageNames[stage])} {millis(value)}
          </li>
        ))}
      </ul>
    </div>
  )
}
