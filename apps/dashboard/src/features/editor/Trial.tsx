/** What a check of the draft finds in every region, before anything is saved. */
import type { TrialAnswer } from "@kanmon/protocol/CheckBody"
import { millis } from "../../locales/time.ts"
import { t } from "../../locales/text.ts"
import { Stages } from "../../ui/Stages.tsx"
import { Shape } from "../../ui/Status.tsx"

export type Trial = typeof TrialAnswer.Encoded

const tones = { up: "up", degraded: "degraded", down: "down", unknown: "quiet" } as const

const words = { up: "Up", degraded: "Degraded", down: "Down", unknown: "Unknown" } as const

const show = (element: HTMLUListElement | null) => {
  element?.scrollIntoView({ block: "nearest" })
}

export const TrialResult = ({ trial }: { readonly trial: Trial }) => (
  <ul
    className="flex scroll-mb-24 flex-col gap-2"
    // A result below the visible part would look like no result.
    ref={show}
    aria-label={t("The answer of each region")}
  >
    {trial.regions.map(({ failure, region, responseTime, status, timing }) => (
      <li key={region} className="flex items-start gap-3 rounded-xl border border-line bg-surface px-4 py-3">
        <Shape tone={tones[status]} className="mt-0.5 size-5" />
        <div className="min-w-0 flex-1">
          <p className="font-medium">
            {region} · {t(words[status])}
            {responseTime !== null && ` · ${millis(responseTime)}`}
          </p>
          {failure !== null && (
            <p className="text-sm">
              <bdi>{failure.message}</bdi>
            </p>
          )}
          <Stages timing={timing} />
        </div>
      </li>
    ))}
  </ul>
)
