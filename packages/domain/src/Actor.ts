/** The actor of a change. */
import { Schema } from "effect"

export const Actor = Schema.Struct({
  kind: Schema.Literals(["person", "key", "file_apply", "plugin", "operator", "system"]).annotate({
    description:
      "`person`: an account, by session; or the user of a link in a message, named in `name`. `key`: an API key, or a provisioning token. `file_apply`: `kanmon apply` with an API key, or with the login of a person. `plugin`: a plugin. `operator`: a command on the server. `system`: Kanmon itself, for example at the end of a maintenance window or when a payment changes the plan"
  }),
  id: Schema.NullOr(Schema.String).annotate({
    description:
      "The account `usr_…`, the API key `key_…`, the token for provisioning `scim_…`, or the project `prj_…` for the project's own key; null for who used a link in a message without signing in"
  }),
  name: Schema.String.annotate({ description: "Its name at that time; the e-mail address of a person" }),
  onBehalfOf: Schema.optionalKey(
    Schema.Struct({ id: Schema.String, name: Schema.String }).annotate({
      description: "The account as which this person acted, an administrator of the installation; absent otherwise"
    })
  )
}).annotate({ identifier: "Actor" })
export type Actor = typeof Actor.Type
export type ActorKind = Actor["kind"]
