/** Notification channels, their recipients, and the messages of the installation itself. */
import { Layer } from "effect"
import { ChannelRepository } from "./ChannelRepository.ts"
import { Channels } from "./Channels.ts"
import * as ChannelsHandlers from "./ChannelsHandlers.ts"
import * as ConfirmationHandlers from "./ConfirmationHandlers.ts"
import { ConfirmationRepository } from "./ConfirmationRepository.ts"
import { Confirmations } from "./Confirmations.ts"

export { accountShare, ChannelLeaseRepository, type LeasedChannel } from "./ChannelLeaseRepository.ts"
export { type LastDelivery, storedLastDelivery, storedQuietHours } from "./ChannelRecords.ts"
export { type Leasing, leasing } from "./LeaseRepository.ts"
export { ChannelPolicies, ChannelUse } from "./ChannelHooks.ts"
export { ChannelRetentionRepository } from "./ChannelRetentionRepository.ts"
export * as ChannelView from "./ChannelView.ts"
export * as ChannelWrites from "./ChannelWrites.ts"
export { Channels } from "./Channels.ts"
export { Confirmations, newCode, wrongCode } from "./Confirmations.ts"
export * as EarlierChannels from "./EarlierChannels.ts"
export { emailKind, mailer, OwnMessages } from "./OwnMessages.ts"
export * as PhoneNumbers from "./PhoneNumbers.ts"
export { Recipients } from "./Recipients.ts"
export { testNotice } from "./TestNotice.ts"

/** The services of this feature. */
export const layer = Layer.merge(Channels.layer, Confirmations.layer).pipe(
  Layer.provide([ChannelRepository.layer, ConfirmationRepository.layer])
)

/** The operations of this feature. */
export const layerApi = ChannelsHandlers.layer

/** The pages that links in confirmation mails lead to. */
export const layerDirect = ConfirmationHandlers.layer
