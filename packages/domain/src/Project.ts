/** A project groups monitors, belongs to an organization and has one API key. */
import { Schema } from "effect"
import { OrganizationId, ProjectId } from "./Ids.ts"
import { Name } from "./Monitor.ts"
import { Role } from "./Role.ts"
import { Timestamp } from "./Timestamp.ts"

export const Project = Schema.Struct({
  id: ProjectId,
  organizationId: OrganizationId.annotate({ description: "The organization that owns the project" }),
  name: Name,
  /** `km_` and 32 random bytes in base62. */
  apiKey: Schema.String,
  timezone: Schema.String.annotate({
    description: "The IANA time zone in which alerts show times; default UTC"
  }),
  role: Role.annotate({ description: "The role of the caller in the project" }),
  createdAt: Timestamp,
  updatedAt: Timestamp
}).annotate({ identifier: "Project" })
export type Project = typeof Project.Type

/** A project as it is for every caller. */
export type StoredProject = Omit<Project, "role">
