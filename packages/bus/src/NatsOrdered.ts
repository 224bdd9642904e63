/** An ordered consumer: reads a stream from a sequence on, in order, without a place that the server would keep. */
import {
  type Consumer,
  type ConsumerMessages,
  DeliverPolicy,
  type JetStreamClient,
  type OrderedConsumerOptions
} from "@nats-io/jetstream"

export interface Ordered {
  readonly consumer: Consumer
  readonly messages: ConsumerMessages
}

export const from = (
  client: JetStreamClient,
  stream: string,
  first: number,
  options: Partial<OrderedConsumerOptions> = {}
): Promise<Consumer> =>
  client.consumers.get(stream, { ...options, deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: first })

/** Waits for nothing. */
export const leave = ({ consumer, messages }: Ordered): void => {
  // Without a connection it may never end.
  void messages.close().catch(() => undefined)
  // The server would keep it for minutes; nobody need wait until it is told.
  void consumer.delete().catch(() => undefined)
}
