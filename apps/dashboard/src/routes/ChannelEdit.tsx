/** `/channels/new` and `/channels/$id` */
import { Link, useParams, useSearch } from "@tanstack/react-router"
import { ChannelForm } from "../features/channels/ChannelForm.tsx"
import { awaitsCode, Confirmation } from "../features/channels/Confirmation.tsx"
import { Gallery, nameOf } from "../features/channels/Gallery.tsx"
import { useChannels, useChannelTypes } from "../features/channels/queries.ts"
import { t } from "../locales/text.ts"
import { useKept } from "../ui/held.ts"
import { Icon } from "../ui/Icon.tsx"
import { Notice } from "../ui/Notice.tsx"
import { NotFound, PageError } from "./Failures.tsx"
import { restricted } from "./restricted.tsx"

const Back = () => (
  <Link to="/channels" className="flex w-fit items-center gap-1.5 text-sm text-soft no-underline hover:text-ink">
    <Icon name="back" className="size-3.5 rtl:-scale-x-100" />
    {t("Channels and rules")}
  </Link>
)

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
    <div className={`mx-auto flex min-w-0 flex-col gap-5 ${type === undefined ? "max-w-4xl" : "max-w-2xl"}`}>
      <title>{`${title} · Kanmon`}</title>
      <Back />
      <div>
        <h1>
          <bdi className="line-clamp-3">{title}</bdi>
        </h1>
        {type !== undefined && (
          <p className="mt-1 text-soft">
            {channel === undefined ? "" : `${nameOf(type.type, type.title)} · `}
            {type.summary}
          </p>
        )}
      </div>
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
    </div>
  )
}

export default restricted("channels.write", ChannelEdit)
