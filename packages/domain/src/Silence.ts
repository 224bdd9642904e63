/** Silences: no notification is sent about their monitors until they end. Everything else goes on. */
import { Schema } from "effect"
import { AlertActor } from "./Alert.ts"
import { patternText } from "./BoundedText.ts"
import { MonitorId, ProjectId, SilenceId } from "./Ids.ts"
import { Tags } from "./Tag.ts"
import { Timestamp } from "./Timestamp.ts"

/** Why a silence exists. */
export const SilenceReason = patternText(500, /^(?=[^]*\S)[^]{1,500}$/, "Expected some text of at most 500 characters")

export const Silence = Schema.Struct({
  id: SilenceId,
  projectId: ProjectId,
  monitorIds: Schema.Array(MonitorId).annotate({ description: "Silenced monitors" }),
  tags: Tags.annotate({ description: "Monitors that carry any of these tags are silenced, too" }),
  until: Timestamp.annotate({ description: "End of the silence" }),
  reason: SilenceReason,
  createdBy: AlertActor,
  createdAt: Timestamp
}).annotate({ identifier: "Silence" })
export type Silence = typeof Silence.Type
