/** An ordered consumer: reads a stream from a sequence, in order, without state on the server. */
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

/** Does not wait for the server. */
export const leave = ({ consumer, messages }: Ordered): void => {
  // Without a connection this may never complete.
  void messages.close().catch(() => undefined)
  // Otherwise the server keeps it for minutes; no need to wait for the response.
  void consumer.delete().catch(() => undefined)
}
