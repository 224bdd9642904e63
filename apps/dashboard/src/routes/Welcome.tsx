/** `/welcome`, and what a project without monitors shows instead of a list. */
import { Link, useSearch } from "@tanstack/react-router"
import { useCheckTypes } from "../api/checkTypes.ts"
import { Confirmation } from "../features/channels/Confirmation.tsx"
import { useChannelTypes } from "../api/channelTypes.ts"
import { useChannels } from "../features/channels/queries.ts"
import { Signal } from "../features/monitor/Signals.tsx"
import { Done } from "../features/onboarding/Done.tsx"
import { Imports } from "../features/onboarding/Imports.tsx"
import { Onboarding } from "../features/onboarding/Onboarding.tsx"
import { toldOfEveryMonitor } from "../features/rules/everyMonitor.ts"
import { useRules } from "../features/rules/queries.ts"
import { useVersion } from "../live/MonitorStore.ts"
import { useProjectData } from "../live/ProjectData.tsx"
import { useMonitorRecord } from "../live/record.ts"
import { nameOf } from "../locales/channelNames.ts"
import { t } from "../locales/text.ts"
import { Section } from "../ui/Section.tsx"
import { PageError } from "./Failures.tsx"
import { restricted } from "./restricted.tsx"
import { PageFrame } from "../ui/PageFrame.tsx"

const link = "flex w-fit items-center text-accent underline underline-offset-3 pointer-coarse:min-h-11"

/** The steps, with what the features that they touch have to add. */
export const FirstMonitor = ({ onBegin }: { readonly onBegin?: () => void }) => {
  const types = useCheckTypes()
  const channelTypes = useChannelTypes()
  const channels = useChannels()
  const rules = useRules()
  const parts = [types, channelTypes, channels, rules]
  const error = parts.map(({ error }) => error).find((error) => error !== null)
  if (error !== undefined && parts.some(({ data }) => data === undefined))
    return (
      <PageError
        error={error}
        reset={() => {
          for (const part of parts) void part.refetch()
        }}
      />
    )
  if (types.data === undefined || channelTypes.data === undefined || channels.data === undefined) return null
  if (rules.data === undefined) return null
  return (
    <div className="grid min-w-0 items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <Onboarding
        types={types.data}
        channels={channels.data}
        channelTypes={channelTypes.data.map((type) => ({ ...type, label: nameOf(type.type) }))}
        told={toldOfEveryMonitor(
          rules.data,
          channels.data.map(({ id }) => id)
        )}
        confirmation={(channel) => (channel.confirmation === "pending" ? <Confirmation channel={channel} /> : null)}
        {...(onBegin === undefined ? {} : { onBegin })}
      />
      <div className="flex min-w-0 flex-col gap-4">
        <Imports />
        <Link to="/monitors/new" search={{}} className={link}>
          {t("Fill in the whole form instead")}
        </Link>
      </div>
    </div>
  )
}

const Finished = ({ id }: { readonly id: string }) => {
  const { error, monitor, refetch } = useMonitorRecord(id)
  const channels = useChannels()
  const unconfirmed = (channels.data ?? []).filter(({ confirmation }) => confirmation === "pending")
  if (monitor === undefined) return error === null ? null : <PageError error={error} reset={() => void refetch()} />
  return (
    <>
      {unconfirmed.map((channel) => (
        <Section key={channel.id} title={t("Confirm {name}", { name: channel.name })}>
          <Confirmation channel={channel} />
        </Section>
      ))}
      <Done monitor={monitor} signal={(url) => <Signal url={url} />} />
    </>
  )
}

const Welcome = () => {
  const { store } = useProjectData()
  useVersion(store)
  const { monitor } = useSearch({ from: "/shell/welcome" })
  const title = monitor === undefined ? t("New monitor") : t("Done")
  return (
    <PageFrame
      title={title}
      actions={
        <Link to="/monitors" search={{}} className={link}>
          {monitor === undefined ? t("Skip for now") : t("All monitors")}
        </Link>
      }
    >
      {monitor === undefined ? <FirstMonitor /> : <Finished id={monitor} />}
    </PageFrame>
  )
}

export default restricted("monitors.write", Welcome)
