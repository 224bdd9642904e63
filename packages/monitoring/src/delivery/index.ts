/**
 * The delivery of messages to channels and contact methods: the queue, leases, attempts, retries and permission, for any feature that
 * sends.
 */
import { Layer } from "effect"
import { ChannelLeaseRepository } from "../channels/index.ts"
import { ContactMethodLeaseRepository } from "../contact-methods/index.ts"
import { Deliveries } from "./Deliveries.ts"
import { DeliveryQueue } from "./DeliveryQueue.ts"
import { DeliveryRepository } from "./DeliveryRepository.ts"
import { QueueRepository } from "./QueueRepository.ts"
import { ReaderZoneRepository } from "./ReaderZoneRepository.ts"
import { SentMessageRepository } from "./SentMessageRepository.ts"
import { TargetLeases } from "./TargetLeases.ts"

export { Deliveries } from "./Deliveries.ts"
export * as DeliveryMetrics from "./DeliveryMetrics.ts"
export { DeliveryQueue } from "./DeliveryQueue.ts"
export { layer as layerWorker } from "./DeliveryWorker.ts"
export { type Message, storedNotice, targetId } from "./Message.ts"
export { type EndedMessage, type MessageSender, MessageSenders } from "./MessageSenders.ts"
export { type AnswerablePage, MessageReplies } from "./MessageReplies.ts"
export { ReaderZoneRepository } from "./ReaderZoneRepository.ts"
export {
  type DeliveryRecord,
  type SentEntry,
  type SentMessage,
  SentMessageRepository
} from "./SentMessageRepository.ts"
export * as StoppedMethods from "./StoppedMethods.ts"

/** Services for senders. */
export const layerQueue = Layer.merge(
  DeliveryQueue.layer.pipe(Layer.provide(QueueRepository.layer)),
  SentMessageRepository.layer
)

/** Services for the worker, which reports outcomes to the senders. */
export const layer = Layer.merge(
  Deliveries.layer.pipe(
    Layer.provide([
      TargetLeases.layer.pipe(Layer.provide([ChannelLeaseRepository.layer, ContactMethodLeaseRepository.layer])),
      DeliveryRepository.layer
    ])
  ),
  ReaderZoneRepository.layer
)
