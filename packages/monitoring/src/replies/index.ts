/** Answers of people from their devices: keys during calls, and text messages. */
import { Layer } from "effect"
import * as Cluster from "@kanmon/platform/cluster/Cluster"
import { PageReplies } from "./PageReplies.ts"
import * as RepliesHandlers from "./RepliesHandlers.ts"
import { ReplyRepository } from "./ReplyRepository.ts"
import { Replying } from "./Replying.ts"
import * as ReplyWork from "./ReplyWork.ts"

export { PageReplies } from "./PageReplies.ts"
export { layerPort } from "./PageReplies.ts"
export { ReplyRepository } from "./ReplyRepository.ts"

/** The services of this feature. */
export const layer = PageReplies.layer.pipe(Layer.provideMerge(ReplyRepository.layer))

/** Where providers post. */
export const layerDirect = RepliesHandlers.layer.pipe(Layer.provide(Replying.layer))

/** The jobs of this feature. */
export const layerWorker = Cluster.singleton("replies", ReplyWork.layer)
