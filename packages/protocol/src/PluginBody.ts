/** A plugin in a response. */
import { Schema } from "effect"

/** One kind that a plugin offers: `type` is what monitors or channels of it name. */
const Offer = Schema.Struct({ type: Schema.String, title: Schema.String, summary: Schema.String })

/** A plugin with its types and its use. */
export const PluginRecord = Schema.Struct({
  name: Schema.String,
  /** `bundled`: it came with Kanmon; `outside`: the operator named it in `KANMON_PLUGINS`. */
  origin: Schema.Literals(["bundled", "outside"]),
  /** `partly`: a part of it was refused, and the rest is used. */
  status: Schema.Literals(["loaded", "partly", "refused"]),
  checks: Schema.Array(Offer),
  channels: Schema.Array(Offer),
  auths: Schema.Array(Schema.String),
  /** Why it, or a part of it, is not used; one sentence each. */
  refused: Schema.Array(Schema.String)
}).annotate({ identifier: "Plugin" })
export type PluginRecord = typeof PluginRecord.Type

/** A type of monitor, with what a form needs to create one. */
export const CheckTypeRecord = Schema.Struct({
  type: Schema.String,
  title: Schema.String.annotate({ description: "Display name of the type" }),
  summary: Schema.String,
  passive: Schema.Boolean.annotate({
    description: "Whether monitors of this type wait for signals instead of checking"
  }),
  schema: Schema.JsonObject.annotate({
    description:
      "JSON Schema of the body that creates such a monitor: its fields with descriptions, defaults, limits and an example"
  })
}).annotate({ identifier: "CheckType" })
export type CheckTypeRecord = typeof CheckTypeRecord.Type

/** A type of notification channel, with what a form needs to create one. */
export const ChannelTypeRecord = Schema.Struct({
  type: Schema.String,
  title: Schema.String.annotate({ description: "Display name of the type" }),
  summary: Schema.String,
  ready: Schema.Boolean.annotate({
    description:
      "Whether the operator has set what channels of this type need, such as a mail server. While false, such channels can be created but every delivery fails"
  }),
  reachesPerson: Schema.Boolean.annotate({
    description: "Whether people can use it to be reached themselves: contact methods may have this type"
  }),
  schema: Schema.JsonObject.annotate({
    description:
      "JSON Schema of the body that creates such a channel; the fields of `config` have descriptions and limits, and secrets are `writeOnly`"
  })
}).annotate({ identifier: "ChannelType" })
export type ChannelTypeRecord = typeof ChannelTypeRecord.Type
