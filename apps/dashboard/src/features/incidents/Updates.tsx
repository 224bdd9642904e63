/** The timeline of an incident, newest first, with the texts as visitors see them. */
import { t } from "../../locales/text.ts"
import { useHeld } from "../../ui/held.ts"
import { Section } from "../../ui/Section.tsx"
import { Shape } from "../../ui/Status.tsx"
import { Moment } from "../../ui/Time.tsx"
import { Waiting } from "../../ui/Waiting.tsx"
import { PublicText } from "./PublicText.tsx"
import type { IncidentRecord } from "./queries.ts"
import { entryWord, toneOfEntry } from "./words.ts"

export const Updates = ({ incident: { maintenance, updates } }: { readonly incident: IncidentRecord }) => {
  const held = useHeld(updates)
  return (
    <Section title={t("Timeline")}>
      <Waiting held={held} />
      <ol className="flex flex-col">
        {held.rows.map(({ createdAt, id, message, status }) => (
          <li key={id} id={id} className="relative flex gap-3 pb-5 last:pb-0">
            <span className="absolute start-[0.4375rem] top-6 bottom-1 w-px bg-line in-[li:last-child]:hidden" />
            <Shape tone={toneOfEntry(status, maintenance)} className="mt-1" />
            <div className="min-w-0 flex-1">
              <p className="flex flex-wrap justify-between gap-x-4">
                <span className="font-medium">{entryWord(status, maintenance)}</span>
                <span className="text-sm text-soft">
                  <Moment at={createdAt} />
                </span>
              </p>
              {message.trim() !== "" && <PublicText text={message} />}
            </div>
          </li>
        ))}
      </ol>
    </Section>
  )
}
