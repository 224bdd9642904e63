/** The name under which something is found again by whoever keeps it in files: unlike an id, it is chosen, and it stays. */
import { Schema } from "effect"

/** One of each kind in a project. Null is for what was made by hand. */
export const Key = Schema.String.check(
  Schema.isPattern(/^[a-z0-9][a-z0-9_-]{0,63}$/u, {
    message: "Expected 1 to 64 lower-case letters, digits, hyphens and underscores, with a letter or digit first"
  })
)
