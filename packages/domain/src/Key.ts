/** A key identifies a resource in configuration files. Unlike an id it is chosen by the user and does not change. */
import { patternText } from "./BoundedText.ts"

/** Unique per kind within a project. Null for resources that were created without one. */
export const Key = patternText(
  64,
  /^[a-z0-9][a-z0-9_-]{0,63}$/u,
  "Expected 1 to 64 lower-case letters, digits, hyphens and underscores; the first must be a letter or digit"
)
