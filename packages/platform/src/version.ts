/** The version of this installation: all packages are released together. */
import manifest from "../package.json" with { type: "json" }

export const { version } = manifest
