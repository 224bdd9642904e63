/** `/channels/new` and `/channels/$id` */
import { useParams, useSearch } from "@tanstack/react-router"
import { useChannelTypes } from "../api/channelTypes.ts"
import { ChannelForm } from "../features/channels/ChannelForm.tsx"
import { awaitsCode, Confirmation } from "../features/channels/Confirmation.tsx"
import { Gallery } from "../features/channels/Gallery.tsx"
import { useChannels } from "../features/channels/queries.ts"
import { nameOf } from "../locales/channelNames.ts"
import { t } from "../locales/text.ts"
import { useKept } from "../ui/held.ts"
import { Notice } from "../ui/Notice.tsx"
import { NotFound, PageError } from "./Failures.tsx"
import { restricted } from "./restricted.tsx"
import { BackLink, PageFrame } from "../ui/PageFrame.tsx"

const ChannelEdit = () => {
  const { id } = useParams({ strict: false })
  const { type: chosen } = useSearch({ strict: false })
  const types = useChannelTypes()
  const channels = useChannels()
  const channel = useKept(channels.data, id)
  const error = types.error ?? channels.error
  if (error !== null && (types.data === undefined || channels.data === undefined))
    return (
      <PageError
        error={error}
        reset={() => {
          void types.refetch()
          void channels.refetch()
        }}
      />
    )
  if (types.data === undefined || channels.data === undefined) return null
  if (id !== undefined && channel === undefined) return <NotFound />
  const typeName = channel?.type ?? chosen
  const type = types.data.find((each) => each.type === typeName)
  const title =
    channel?.name ??
    (type === undefined ? t("New channel") : t("New channel: {type}", { type: nameOf(type.type, type.title) }))
  return (
    <PageFrame
      title={title}
      width={type === undefined ? "text" : "form"}
      back={<BackLink to="/channels">{t("Channels and rules")}</BackLink>}
      below={
        type !== undefined && (
          <p className="mt-1 text-soft">
            {channel === undefined ? "" : `${nameOf(type.type, type.title)} · `}
            {type.summary}
          </p>
        )
      }
    >
      {channel !== undefined && channel.disabledReason !== null && (
        <Notice>{t("Nothing is sent there: {reason}", { reason: channel.disabledReason })}</Notice>
      )}
      {channel !== undefined && awaitsCode(channel) && <Confirmation channel={channel} />}
      {type !== undefined ? (
        <ChannelForm key={id ?? type.type} type={type} {...(channel === undefined ? {} : { channel })} />
      ) : channel === undefined ? (
        <Gallery types={types.data} />
      ) : (
        <Notice>{t("The plugin of this type is not loaded, so the channel cannot be changed.")}</Notice>
      )}
    </PageFrame>
  )
}

export default restricted("channels.write", ChannelEdit)
