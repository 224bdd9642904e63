/** The recipients of the new monitor's outages: by rules that watch every monitor, and by the chosen channels. */
import { t } from "../../locales/text.ts"
import type { Channel } from "./writes.ts"

export const WhoIsTold = ({
  channels,
  chosen,
  everyMonitor,
  told
}: {
  readonly channels: ReadonlyArray<Channel>
  readonly chosen: ReadonlyArray<string>
  readonly everyMonitor: boolean
  readonly told: { readonly channelIds: ReadonlyArray<string>; readonly isEscalated: boolean }
}) => {
  const names = channels.filter(({ id }) => told.channelIds.includes(id)).map(({ name }) => name)
  const added = chosen.filter((id) => !told.channelIds.includes(id))
  const isTold = names.length > 0 || told.isEscalated
  return (
    <div className="flex flex-col gap-1 text-sm text-soft">
      {names.length > 0 && (
        <p>
          <bdi>
            {t("A rule for every monitor tells {channels} of an outage already.", { channels: names.join(", ") })}
          </bdi>
        </p>
      )}
      {told.isEscalated && <p>{t("A rule for every monitor starts an escalation policy when there is an outage.")}</p>}
      {added.length > 0 ? (
        <p>
          {everyMonitor
            ? t("A rule sends outages of this monitor, and of those to come, to the chosen channels.")
            : t("A rule sends outages of this monitor to the chosen channels.")}
        </p>
      ) : (
        !isTold && <p>{t("Without a channel, outages send no notifications. You can add one at any time.")}</p>
      )}
    </div>
  )
}
