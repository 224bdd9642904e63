/** A project groups monitors and has one API key. */
import { Schema } from "effect"
import { ProjectId } from "./Ids.ts"
import { Name } from "./Monitor.ts"
import { Timestamp } from "./Timestamp.ts"

export const Project = Schema.Struct({
  id: ProjectId,
  name: Name,
  /** `km_` and 32 random bytes in base62. */
  apiKey: Schema.String,
  createdAt: Timestamp,
  updatedAt: Timestamp
})
export type Project = typeof Project.Type
