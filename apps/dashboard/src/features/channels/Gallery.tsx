/** The types of channels there are, those of other people's plugins too. */
import type { ChannelTypeRecord } from "@kanmon/protocol/PluginBody"
import { nameOf } from "../../locales/channelNames.ts"
import { t } from "../../locales/text.ts"
import { byName } from "../../ui/collation.ts"
import { RouteLink } from "../../ui/Button.tsx"
import { useHeldBy } from "../../ui/held.ts"
import { LetterTile } from "../../ui/LetterTile.tsx"

const typeOf = ({ type }: ChannelTypeRecord): string => type

export const Gallery = ({ types }: { readonly types: ReadonlyArray<ChannelTypeRecord> }) => {
  const held = useHeldBy(
    types.toSorted(
      (a, b) => Number(b.ready) - Number(a.ready) || byName(nameOf(a.type, a.title), nameOf(b.type, b.title))
    ),
    typeOf
  )
  return (
    <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
      {held.rows.map(({ ready, summary, title, type }) => (
        <li key={type} className="flex">
          <RouteLink
            to="/channels/new"
            search={{ type }}
            className="flex min-h-20 w-full items-start gap-3 rounded-xl border border-line bg-surface px-4 py-3 no-underline hover:border-accent"
          >
            <LetterTile name={nameOf(type, title)} />
            <span className="flex min-w-0 flex-col gap-0.5">
              <span className="font-medium text-ink">{nameOf(type, title)}</span>
              <span className="text-small text-soft">{summary}</span>
              {!ready && (
                <span className="is-degraded text-small text-(--tone)">{t("Not configured on this server")}</span>
              )}
            </span>
          </RouteLink>
        </li>
      ))}
    </ul>
  )
}
