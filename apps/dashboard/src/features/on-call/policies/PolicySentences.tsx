/** A policy as sentences: recipients and times, one line for each step. */
import { emphasized } from "../../../ui/Emphasis.tsx"
import type { Directory } from "./queries.ts"
import { endWords, type Plan, stepWords, whenWords } from "./words.ts"

const rowClass = "grid gap-x-4 py-2 text-sm sm:grid-cols-[11.5rem_minmax(0,1fr)]"

export const PolicySentences = ({
  directory,
  label,
  plan
}: {
  readonly plan: Plan
  readonly directory: Directory
  /** Names the list for screen readers. */
  readonly label: string
}) => (
  <ol aria-label={label} className="divide-y divide-line">
    {plan.steps.map((step, index) => (
      // oxlint-disable-next-line react/no-array-index-key -- a step is its place
      <li key={index} className={rowClass}>
        <span className="font-medium">{whenWords(step, index)}</span>
        <span className="min-w-0 break-words text-soft">{emphasized(stepWords(step, directory))}</span>
      </li>
    ))}
    {endWords(plan, directory).map(([when, what]) => (
      <li key={what} className={rowClass}>
        <span className="text-soft">{when}</span>
        <span className="min-w-0 break-words text-soft">{emphasized(what)}</span>
      </li>
    ))}
  </ol>
)
