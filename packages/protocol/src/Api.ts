/** The whole HTTP contract. Definition only; handlers live in the app. */
import { HttpApi, OpenApi } from "effect/http-api"
import { Problems } from "./Gate.ts"
import { HealthApi } from "./HealthApi.ts"
import { MonitorsApi } from "./MonitorsApi.ts"
import { ProjectsApi } from "./ProjectsApi.ts"

/** Where the API lives below the installation's address. */
export const basePath = "/api/v1"

export class Api extends HttpApi.make("kanmon")
  .add(MonitorsApi, ProjectsApi, HealthApi)
  .middleware(Problems)
  .prefix(basePath)
  .annotateMerge(
    OpenApi.annotations({
      title: "Kanmon",
      version: "1",
      description: "Uptime monitoring: monitors, projects, health. Errors are problem details (RFC 9457)."
    })
  ) {}
