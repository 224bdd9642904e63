/** Asks for the codes that the recipients of a channel got; nothing else is sent to one until its code is entered. */
import type { ChannelTypeRecord } from "@kanmon/protocol/PluginBody"
import { Form } from "react-aria-components"
import { useChannelTypes } from "../../api/channelTypes.ts"
import { useCode } from "../../api/useCode.ts"
import { nameOf } from "../../locales/channelNames.ts"
import { t } from "../../locales/text.ts"
import { Button } from "../../ui/Button.tsx"
import { TextField } from "../../ui/Field.tsx"
import { Notice } from "../../ui/Notice.tsx"
import { Shape } from "../../ui/Status.tsx"
import type { Channel } from "./queries.ts"
import { useConfirmChannel, useSendChannelCode } from "./writes.ts"

const isPending = ({ confirmation }: Channel["recipients"][number]) => confirmation === "pending"

/** Whether a recipient has not entered its code. */
export const awaitsCode = ({ recipients }: Channel): boolean => recipients.some(isPending)

/** Each recipient of several with its state; the form alone where there is one. */
export const Confirmation = ({ channel }: { readonly channel: Channel }) => {
  const { recipients } = channel
  if (recipients.length === 1) return <CodeForm channel={channel} />
  return (
    <ul className="flex flex-col gap-3" aria-label={t("Recipients")}>
      {recipients.map((each) => (
        <li key={each.recipient} className="flex flex-col gap-2">
          <p className="flex min-w-0 items-center gap-1.5 text-sm">
            <Shape tone={isPending(each) ? "degraded" : "up"} className="size-3.5 shrink-0" />
            <bdi className="min-w-0 truncate">{each.recipient}</bdi>
            <span className="shrink-0 text-soft">
              {isPending(each) ? t("Has not confirmed") : t("Gets notifications")}
            </span>
          </p>
          {isPending(each) && <CodeForm channel={channel} recipient={each.recipient} />}
        </li>
      ))}
    </ul>
  )
}

/** Why the recipients of a channel have no code; undefined as far as is known when they have. */
const unsentReason = (channel: Channel, types: ReadonlyArray<ChannelTypeRecord> | undefined): string | undefined => {
  if (types?.find(({ type }) => type === channel.type)?.ready === false)
    return channel.type === "email"
      ? t(
          "No code was sent: this installation sends no mail. The person who runs it sets SMTP_URL and starts the server again; then send the code."
        )
      : t(
          "No code was sent: the operator of this installation has not set up {type} yet. Send the code when that is done.",
          { type: nameOf(channel.type) }
        )
  // While no recipient has confirmed, codes are all that is sent.
  const { confirmation, lastDelivery } = channel
  return confirmation === "pending" && lastDelivery?.status === "failed" ? `${lastDelivery.detail}.` : undefined
}

const CodeForm = ({ channel, recipient }: { readonly channel: Channel; readonly recipient?: string }) => {
  const { mutateAsync: enter } = useConfirmChannel(channel.id)
  const { mutateAsync: send } = useSendChannelCode(channel.id)
  const whose = recipient === undefined ? {} : { recipient }
  const { code, error, isBusy, isSent, onSend, onSubmit, setCode } = useCode(
    (code) => enter({ code, ...whose }),
    () => send(whose)
  )
  const { data: types } = useChannelTypes()
  const unsent = isSent ? undefined : unsentReason(channel, types)

  if (unsent !== undefined)
    return (
      <div className="flex flex-col items-start gap-3">
        <Notice tone="degraded">{error ?? unsent}</Notice>
        <Button onPress={onSend} isDisabled={isBusy}>
          {t("Send the code")}
        </Button>
      </div>
    )
  return (
    <Form onSubmit={onSubmit} validationBehavior="aria" className="flex flex-wrap items-start gap-2">
      <TextField
        label={recipient === undefined ? t("Confirmation code") : t("Confirmation code of {recipient}", { recipient })}
        help={
          isSent
            ? t("A new code is on its way.")
            : t("The recipient got six digits. Until they are entered, nothing else is sent there.")
        }
        error={error}
        value={code}
        onChange={setCode}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={6}
      />
      <div className="flex gap-2 sm:mt-6">
        <Button kind="primary" type="submit" isDisabled={isBusy || code.trim() === ""}>
          {t("Confirm")}
        </Button>
        <Button onPress={onSend} isDisabled={isBusy}>
          {t("Send a new code")}
        </Button>
      </div>
    </Form>
  )
}
