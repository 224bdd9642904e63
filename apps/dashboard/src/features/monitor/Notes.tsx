/** Notes about a monitor: instructions for 3 a.m., and links. */
import type { MonitorRecord } from "../../live/MonitorStore.ts"
import { t } from "../../locales/text.ts"
import { Section } from "../../ui/Section.tsx"

export const Notes = ({ monitor: { description, links } }: { readonly monitor: MonitorRecord }) =>
  description === null && links.length === 0 ? null : (
    <Section title={t("Notes")}>
      {description !== null && (
        <p dir="auto" className="text-sm whitespace-pre-line">
          {description}
        </p>
      )}
      {links.length > 0 && (
        <ul className="flex flex-col gap-1 text-sm">
          {links.map(({ title, url }) => (
            <li key={url}>
              <a href={url} target="_blank" rel="noreferrer" className="text-accent underline underline-offset-3">
                {title}
              </a>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
