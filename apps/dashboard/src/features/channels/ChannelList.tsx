/** The channels of the project, with how the newest delivery went, a test, and what keeps a channel from working. */
import { useNavigate } from "@tanstack/react-router"
import { useDeleteChannel } from "../../api/channels.ts"
import { useMay } from "../../api/permissions.ts"
import { refusalOf } from "../../api/write.ts"
import { quietWords } from "../../forms/quietWords.ts"
import { useProjectData } from "../../live/ProjectData.tsx"
import { nameOf } from "../../locales/channelNames.ts"
import { t } from "../../locales/text.ts"
import { Button, IconButton, RouteLink } from "../../ui/Button.tsx"
import { DeletableList } from "../../ui/DeletableList.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { Notice } from "../../ui/Notice.tsx"
import { LetterTile } from "../../ui/LetterTile.tsx"
import { Menu } from "../../ui/Overlay.tsx"
import { Shape } from "../../ui/Status.tsx"
import { Ago } from "../../ui/Time.tsx"
import { awaitsCode, Confirmation } from "./Confirmation.tsx"
import { type Channel, useTest } from "./queries.ts"
import { TestResult } from "./TestResult.tsx"
import { useShownTest } from "./writes.ts"

const tones = { delivered: "up", retrying: "degraded", failed: "down" } as const

const LastDelivery = ({ channel: { lastDelivery } }: { readonly channel: Channel }) => {
  if (lastDelivery === null) return <p className="text-small text-soft">{t("Nothing was sent yet")}</p>
  const words = { delivered: t("Delivered"), retrying: t("Trying again"), failed: t("Not delivered") }
  return (
    <p className="flex min-w-0 items-start gap-1.5 text-small text-soft">
      <Shape tone={tones[lastDelivery.status]} className="mt-0.5 size-3.5" />
      <span className="line-clamp-2 min-w-0">
        {words[lastDelivery.status]} · <Ago at={lastDelivery.at} /> · {lastDelivery.detail}
      </span>
    </p>
  )
}

const Row = ({ channel, onDelete }: { readonly channel: Channel; readonly onDelete: () => void }) => {
  const mayWrite = useMay("channels.write")
  const sendTest = useShownTest()
  const navigate = useNavigate()
  const test = useTest(channel.id)
  const { confirmation, disabledReason, id, name, quietHours, type } = channel
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <LetterTile name={nameOf(type)} />
        <div className="flex min-w-0 flex-1 basis-60 flex-col gap-0.5">
          <p className="flex min-w-0 items-baseline gap-2">
            {mayWrite ? (
              <RouteLink
                to="/channels/$id"
                params={{ id }}
                className="min-w-0 truncate font-medium text-ink hover:underline"
              >
                <bdi>{name}</bdi>
              </RouteLink>
            ) : (
              <bdi className="min-w-0 truncate font-medium">{name}</bdi>
            )}
            <span className="shrink-0 text-small text-soft">{nameOf(type)}</span>
          </p>
          <LastDelivery channel={channel} />
          {quietHours !== null && (
            <p className="text-small break-words text-soft">
              {t("Quiet hours")} · {quietWords(quietHours)}
            </p>
          )}
        </div>
        {mayWrite && (
          <div className="flex gap-1">
            <Button
              onPress={() => void sendTest(id)}
              isDisabled={test?.state === "sending" || confirmation === "pending"}
              aria-label={t("Send a test to {name}", { name })}
            >
              {test?.state === "sending" ? t("Sending…") : t("Send a test")}
            </Button>
            <Menu
              label={t("More")}
              button={
                <IconButton aria-label={t("More about {name}", { name })}>
                  <Icon name="more" />
                </IconButton>
              }
              groups={[
                [
                  {
                    id: "edit",
                    label: t("Edit"),
                    icon: <Icon name="edit" />,
                    onAction: () => void navigate({ to: "/channels/$id", params: { id } })
                  }
                ],
                [{ id: "delete", label: t("Delete"), danger: true, icon: <Icon name="trash" />, onAction: onDelete }]
              ]}
            />
          </div>
        )}
      </div>
      {disabledReason !== null && <Notice>{t("Nothing is sent there: {reason}", { reason: disabledReason })}</Notice>}
      {awaitsCode(channel) && mayWrite && <Confirmation channel={channel} />}
      <TestResult channel={channel} />
    </>
  )
}

export const ChannelList = ({ channels }: { readonly channels: ReadonlyArray<Channel> }) => {
  const { project } = useProjectData()
  const { mutate: remove, ...attempt } = useDeleteChannel(project)
  return (
    <DeletableList
      label={t("Channels")}
      items={channels}
      rowClass="flex flex-col gap-3 px-2 py-3.5"
      remove={remove}
      {...refusalOf([attempt])}
      question={t("Delete this channel?")}
      consequence={(doomed) =>
        t("Nothing is sent to {name} any more, and notifications that still wait for it are dropped.", {
          name: doomed?.name ?? ""
        })
      }
    >
      {(channel, onDelete) => <Row channel={channel} onDelete={onDelete} />}
    </DeletableList>
  )
}
