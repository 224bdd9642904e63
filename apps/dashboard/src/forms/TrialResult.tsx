/** The results of a test in each region, while it runs and afterwards. The phases of all regions have one scale. */
import type { RegionTrial, trialEvents } from "@kanmon/protocol/CheckBody"
import { useEffect, useRef } from "react"
import { millis } from "../locales/time.ts"
import { reasonText } from "../locales/reasons.ts"
import { t } from "../locales/text.ts"
import { Notice } from "../ui/Notice.tsx"
import { Stages } from "../ui/Stages.tsx"
import { Shape } from "../ui/Status.tsx"

type Result = typeof RegionTrial.Encoded

interface Shown {
  readonly regions: ReadonlyArray<string>
  readonly results: ReadonlyArray<Result>
  readonly end: typeof trialEvents.end.Encoded | undefined
  readonly isRunning: boolean
  readonly failure: string | undefined
}

const tones = { up: "up", degraded: "degraded", down: "down", unknown: "quiet" } as const

const words = { up: "Up", degraded: "Degraded", down: "Down", unknown: "Unknown" } as const

const total = ({ timing }: Result): number => Object.values(timing).reduce((sum, value) => sum + value, 0)

const Capture = ({ capture }: { readonly capture: NonNullable<Result["capture"]> }) => (
  <details className="mt-1 text-sm">
    <summary className="min-h-9 w-fit cursor-default content-center text-accent pointer-coarse:min-h-11">
      {t("Its response")}
    </summary>
    <pre
      className="max-h-48 overflow-auto rounded-lg bg-ink/6 px-3 py-2 text-small break-all whitespace-pre-wrap"
      // Long answers scroll, also by keyboard.
      tabIndex={0}
      role="region"
      aria-label={t("Body of the answer")}
    >
      {[capture.statusLine ?? "", capture.body ?? ""].filter((text) => text !== "").join("\n\n")}
    </pre>
  </details>
)

const Certificate = ({ end }: { readonly end: typeof trialEvents.end.Encoded }) => {
  const { certificate } = end
  if (certificate?.daysLeft == null) return null
  return (
    <p className="text-sm text-soft">
      {certificate.valid
        ? t("The certificate is valid for {days, plural, one {# more day} other {# more days}}.", {
            days: certificate.daysLeft
          })
        : t("The certificate is not valid.")}
    </p>
  )
}

export const TrialResult = ({ trial }: { readonly trial: Shown }) => {
  const { end, failure, isRunning, regions, results } = trial
  const place = useRef<HTMLDivElement>(null)
  // A result below the visible part would look like no result.
  useEffect(() => {
    place.current?.scrollIntoView({ block: "nearest" })
  }, [regions.length])
  const longest = Math.max(...results.map(total), 0)
  const byRegion = new Map(results.map((result) => [result.region, result]))
  return (
    <div ref={place} className="flex scroll-mb-24 flex-col gap-2">
      <p role="status" className={regions.length === 0 ? "text-sm text-soft" : "sr-only"}>
        {isRunning
          ? t("Checking…")
          : t("{count, plural, one {# region has} other {# regions have}} answered.", { count: results.length })}
      </p>
      {regions.length > 0 && (
        <ul className="flex flex-col gap-2" aria-label={t("The answer of each region")}>
          {regions.map((region) => {
            const result = byRegion.get(region)
            return (
              <li key={region} className="flex items-start gap-3 rounded-xl border border-line bg-surface px-4 py-3">
                <Shape
                  tone={result === undefined ? "quiet" : tones[result.status]}
                  className={`mt-0.5 size-5 ${result === undefined && isRunning ? "animate-pulse motion-reduce:animate-none" : ""}`}
                />
                <div className="min-w-0 flex-1">
                  <p className="font-medium">
                    <bdi>{region}</bdi> ·{" "}
                    {result === undefined ? (isRunning ? t("Checking…") : t("No answer")) : t(words[result.status])}
                    {result?.responseTime != null && ` · ${millis(result.responseTime)}`}
                  </p>
                  {result?.failure != null && (
                    <p className="text-sm wrap-anywhere">
                      <bdi>{reasonText(result.failure)}</bdi>
                    </p>
                  )}
                  {result !== undefined && (
                    <div className="mt-1.5 empty:hidden">
                      <Stages timing={result.timing} of={longest} />
                    </div>
                  )}
                  {result?.capture !== undefined && <Capture capture={result.capture} />}
                </div>
              </li>
            )
          })}
        </ul>
      )}
      {end !== undefined && <Certificate end={end} />}
      {failure !== undefined && <Notice tone="degraded">{failure}</Notice>}
    </div>
  )
}
